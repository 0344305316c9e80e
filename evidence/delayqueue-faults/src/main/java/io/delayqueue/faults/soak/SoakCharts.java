// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.soak;

import io.delayqueue.faults.check.LatenessOverTime.Slice;
import java.awt.BasicStroke;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.knowm.xchart.AnnotationLine;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** The charts of a run, as PNG: over its minutes, with a line where each fault began. */
final class SoakCharts {

    private static final double MIB = 1048576;
    private static final double LEAST_MILLIS = 0.1;

    private final SoakResult result;

    SoakCharts(SoakResult result) {
        this.result = result;
    }

    /** Writes them, each with what it shows; none where this machine cannot draw text for want of fonts. */
    Map<String, String> write(Path folder) throws IOException {
        Map<String, String> names = new LinkedHashMap<>();
        try {
            Files.createDirectories(folder);
            XYChart heap = chart("Heap after a full collection", "MiB");
            byProcess(heap, "application", in(MIB, Sample.OfProcess::liveHeap));
            save(heap, folder, "soak-heap", names);
            XYChart resident = chart("Resident memory of the applications", "MiB");
            byProcess(resident, "application", in(1024, Sample.OfProcess::residentKiB));
            save(resident, folder, "soak-resident", names);
            XYChart handles = chart("Threads and open files of the applications", "number");
            byProcess(handles, "threads", in(1, Sample.OfProcess::threads));
            byProcess(handles, "files", in(1, Sample.OfProcess::files));
            save(handles, folder, "soak-threads-files", names);
            XYChart memory = chart("Memory of Redis", "MiB");
            ofRedis(memory, "used_memory", Sample.OfRedis::usedMemory, MIB);
            save(memory, folder, "soak-redis-memory", names);
            XYChart content = chart("Keys and tasks in Redis", "number");
            ofRedis(content, "keys", Sample.OfRedis::keys, 1);
            ofRedis(content, "tasks", Sample.OfRedis::live, 1);
            ofRedis(content, "dead", Sample.OfRedis::dead, 1);
            save(content, folder, "soak-redis-content", names);
            save(lateness(), folder, "soak-lateness", names);
            return names;
        } catch (InternalError | ExceptionInInitializerError | NoClassDefFoundError ex) {
            System.err.println("soak: no charts, this machine has no fonts: " + ex.getMessage());
            return Map.of();
        }
    }

    private XYChart chart(String title, String unit) {
        XYChart chart = new XYChartBuilder()
                .width(900)
                .height(360)
                .title(title)
                .xAxisTitle("minutes")
                .yAxisTitle(unit)
                .build();
        chart.getStyler().setLegendPosition(Styler.LegendPosition.OutsideE);
        chart.getStyler().setYAxisMin(0.0);
        chart.getStyler().setXAxisMin(0.0);
        chart.getStyler().setXAxisDecimalPattern("#0");
        chart.getStyler().setAnnotationLineColor(new Color(220, 160, 160));
        chart.getStyler().setAnnotationLineStroke(new BasicStroke(1));
        result.faults().forEach(fault -> chart.addAnnotation(new AnnotationLine(minutes(fault.from()), true, false)));
        return chart;
    }

    private double minutes(long micros) {
        return (micros - result.time().from()) / 60e6;
    }

    private void byProcess(XYChart chart, String name, Function<Sample.OfProcess, @Nullable Double> value) {
        for (int place = 0; place < 2; place++) {
            List<Double> x = new ArrayList<>();
            List<Double> y = new ArrayList<>();
            for (Sample sample : result.samples()) {
                for (Sample.OfProcess process : sample.processes()) {
                    Double number = process.place() == place ? value.apply(process) : null;
                    if (number != null) {
                        x.add(minutes(sample.micros()));
                        y.add(number);
                    }
                }
            }
            add(chart, name + " " + (place + 1), x, y);
        }
    }

    private void ofRedis(XYChart chart, String name, ToLongFunction<Sample.OfRedis> value, double unit) {
        List<Double> x = new ArrayList<>();
        List<Double> y = new ArrayList<>();
        for (Sample sample : result.samples()) {
            Sample.OfRedis redis = sample.redis();
            if (redis != null) {
                x.add(minutes(sample.micros()));
                y.add(value.applyAsLong(redis) / unit);
            }
        }
        add(chart, name, x, y);
    }

    private XYChart lateness() {
        XYChart chart = chart("Lateness of all first attempts", "ms");
        chart.getStyler().setYAxisMin(LEAST_MILLIS);
        chart.getStyler().setYAxisLogarithmic(true);
        ofMinutes(chart, "max", slice -> slice.all().max());
        ofMinutes(chart, "p99", slice -> slice.all().p99());
        ofMinutes(chart, "p50", slice -> slice.all().p50());
        return chart;
    }

    private void ofMinutes(XYChart chart, String name, Function<Slice, Duration> value) {
        List<Double> x = new ArrayList<>();
        List<Double> y = new ArrayList<>();
        for (int minute = 0; minute < result.minutes().size(); minute++) {
            Slice slice = result.minutes().get(minute);
            if (slice.all().count() > 0) {
                x.add(minute + 0.5);
                y.add(Math.max(LEAST_MILLIS, value.apply(slice).toNanos() / 1e6));
            }
        }
        add(chart, name, x, y);
    }

    private static void add(XYChart chart, String name, List<Double> x, List<Double> y) {
        if (!x.isEmpty()) {
            chart.addSeries(name, x, y).setMarker(SeriesMarkers.NONE);
        }
    }

    private static void save(XYChart chart, Path folder, String name, Map<String, String> names) throws IOException {
        if (!chart.getSeriesMap().isEmpty()) {
            BitmapEncoder.saveBitmap(chart, folder.resolve(name).toString(), BitmapEncoder.BitmapFormat.PNG);
            names.put(name, chart.getTitle());
        }
    }

    private static Function<Sample.OfProcess, @Nullable Double> in(
            double unit, Function<Sample.OfProcess, @Nullable Long> value) {
        return process -> {
            Long number = value.apply(process);
            return number != null ? (Double) (number / unit) : null;
        };
    }
}
