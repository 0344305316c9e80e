// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.result;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.style.Styler;

/**
 * A bar chart for each workload and unit, as PNG: as SVG, with its text drawn as outlines, it would be ten times the
 * size.
 */
public final class Charts {

    private Charts() {}

    /** Writes them and answers their file names; none where this machine cannot draw text for want of fonts. */
    public static List<String> write(Collection<Run> runs, Path folder, String prefix) {
        Results results = new Results(runs);
        List<String> names = new ArrayList<>();
        try {
            Files.createDirectories(folder);
            for (String workload : results.workloads()) {
                Map<String, List<String>> byUnit = results.metrics(workload).stream()
                        .collect(Collectors.groupingBy(
                                metric -> Units.of(workload, metric), LinkedHashMap::new, Collectors.toList()));
                for (Map.Entry<String, List<String>> metrics : byUnit.entrySet()) {
                    String name = fileName(prefix, workload, metrics.getKey());
                    CategoryChart chart = chart(results, workload, metrics.getKey(), metrics.getValue());
                    BitmapEncoder.saveBitmap(chart, folder.resolve(name).toString(), BitmapEncoder.BitmapFormat.PNG);
                    names.add(name);
                }
            }
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        } catch (InternalError | ExceptionInInitializerError | NoClassDefFoundError ex) {
            System.err.println("benchmark: no charts, this machine has no fonts: " + ex.getMessage());
        }
        return names;
    }

    private static String fileName(String prefix, String workload, String unit) {
        return (prefix + "-" + workload + "-" + unit).toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-") + ".png";
    }

    private static CategoryChart chart(Results results, String workload, String unit, List<String> metrics) {
        CategoryChart chart = new CategoryChartBuilder()
                .width(900)
                .height(420)
                .title(workload)
                .yAxisTitle(unit)
                .build();
        chart.getStyler().setLegendPosition(Styler.LegendPosition.OutsideE);
        chart.getStyler().setXAxisLabelRotation(metrics.size() > 3 ? 30 : 0);
        for (String subject : results.subjects(workload)) {
            List<Double> medians = new ArrayList<>();
            for (String metric : metrics) {
                Collection<Double> values = results.values(workload, subject, metric);
                medians.add(values.isEmpty() ? 0.0 : Summary.of(values).median());
            }
            chart.addSeries(subject, metrics, medians);
        }
        return chart;
    }
}
