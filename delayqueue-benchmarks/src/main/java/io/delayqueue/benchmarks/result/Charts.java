// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.result;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.style.Styler;

/** A bar chart for each workload, as SVG. */
public final class Charts {

    private Charts() {}

    /** Writes them and answers their file names; none where this machine cannot draw text for want of fonts. */
    public static List<String> write(Collection<Run> runs, Path folder, String prefix) {
        Results results = new Results(runs);
        List<String> names = new ArrayList<>();
        try {
            Files.createDirectories(folder);
            for (String workload : results.workloads()) {
                String name = prefix + "-" + workload.toLowerCase(Locale.ROOT) + ".svg";
                CategoryChart chart = chart(results, workload);
                if (chart.getSeriesMap().isEmpty()) {
                    continue;
                }
                VectorGraphicsEncoder.saveVectorGraphic(
                        chart, folder.resolve(name).toString(), VectorGraphicsEncoder.VectorGraphicsFormat.SVG);
                names.add(name);
            }
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        } catch (InternalError | ExceptionInInitializerError | NoClassDefFoundError ex) {
            System.err.println("benchmark: no charts, this machine has no fonts: " + ex.getMessage());
        }
        return names;
    }

    private static CategoryChart chart(Results results, String workload) {
        CategoryChart chart = new CategoryChartBuilder()
                .width(900)
                .height(420)
                .title(workload)
                .yAxisTitle(Units.of(workload, ""))
                .build();
        chart.getStyler().setLegendPosition(Styler.LegendPosition.OutsideE);
        chart.getStyler().setXAxisLabelRotation(20);
        List<String> metrics = List.copyOf(results.metrics(workload));
        for (String subject : results.subjects(workload)) {
            List<Double> medians = new ArrayList<>();
            for (String metric : metrics) {
                Map<Integer, Double> values = results.values(workload, subject, metric);
                medians.add(
                        values.isEmpty()
                                ? 0.0
                                : Summary.of(List.copyOf(values.values())).median());
            }
            if (!metrics.isEmpty()) {
                chart.addSeries(subject, metrics, medians);
            }
        }
        return chart;
    }
}
