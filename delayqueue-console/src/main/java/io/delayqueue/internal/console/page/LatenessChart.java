// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import io.delayqueue.internal.console.html.Moments;
import io.delayqueue.internal.console.html.Numbers;
import io.delayqueue.internal.console.html.View;
import io.delayqueue.internal.control.Lateness;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A chart of the lateness of first deliveries, on a logarithmic axis, for the template {@code lateness}. */
final class LatenessChart {

    private static final int LEFT = 52;
    private static final int WIDTH = 904;
    private static final int TOP = 10;
    private static final int BOTTOM = 144;
    private static final long OBJECTIVE_MILLIS = 1000;

    private final Steps past;
    private final Moments moments;
    private final int decades;

    LatenessChart(Steps past, Instant now) {
        this.past = past;
        this.moments = new Moments(now);
        long latest = past.steps().stream()
                .map(step -> step.rates().lateness().quantile(0.99))
                .mapToLong(late -> late == null ? 0 : late.toMillis())
                .max()
                .orElse(0);
        this.decades = Math.max(4, (int) Math.ceil(Math.log10(Math.max(1, latest))));
    }

    View view() {
        Lateness lateness = past.rates().lateness();
        return View.of("none", past.rates().minutes().isEmpty())
                .with("p50", Timeline.lateness(lateness, 0.5))
                .with("p99", Timeline.lateness(lateness, 0.99))
                .with("grid", grid())
                .with("objectiveY", Timeline.round(y(OBJECTIVE_MILLIS)))
                .with("objectiveTextY", Timeline.round(y(OBJECTIVE_MILLIS) - 4))
                .with("lines", lines())
                .with("columns", columns())
                .with("ticks", ticks())
                .with("steps", table());
    }

    private double y(double millis) {
        double part = Math.log10(Math.max(1, millis)) / decades;
        return BOTTOM - part * (BOTTOM - TOP);
    }

    private List<View> grid() {
        List<View> grid = new ArrayList<>();
        for (int decade = 0; decade <= decades; decade++) {
            long millis = (long) Math.pow(10, decade);
            grid.add(Axis.line(y(millis), Moments.brief(Duration.ofMillis(millis))));
        }
        return grid;
    }

    private List<View> lines() {
        List<View> lines = new ArrayList<>();
        lines(0.99, "l-p99", lines);
        lines(0.5, "l-p50", lines);
        return lines;
    }

    /** Adds the lines of a quantile. A step without deliveries interrupts the line. */
    private void lines(double part, String style, List<View> lines) {
        StringBuilder points = new StringBuilder();
        for (int i = 0; i <= past.steps().size(); i++) {
            Duration late = i == past.steps().size()
                    ? null
                    : past.steps().get(i).rates().lateness().quantile(part);
            if (late != null) {
                double height = y(late.toNanos() / 1e6);
                points.append(point(i, height)).append(point(i + 1, height));
            } else if (points.length() > 0) {
                lines.add(View.of("lineClass", style)
                        .with("points", points.toString().strip()));
                points.setLength(0);
            }
        }
    }

    private String point(int step, double height) {
        return Timeline.round(LEFT + step * width()) + "," + Timeline.round(height) + " ";
    }

    private double width() {
        return (double) WIDTH / past.steps().size();
    }

    private List<View> columns() {
        List<View> columns = new ArrayList<>();
        for (int i = 0; i < past.steps().size(); i++) {
            Steps.Step step = past.steps().get(i);
            String p50 = Timeline.lateness(step.rates().lateness(), 0.5);
            if (p50 != null) {
                columns.add(View.of("x", Timeline.round(LEFT + i * width()))
                        .with("step", Timeline.round(width()))
                        .with("from", step.from())
                        .with("until", step.until())
                        .with("span", Timeline.span(step.from(), step.until()))
                        .with(
                                "words",
                                "p50 " + p50 + ", p99 "
                                        + Timeline.lateness(step.rates().lateness(), 0.99)));
            }
        }
        return columns;
    }

    private List<View> ticks() {
        int count = past.steps().size();
        Instant begin = past.steps().get(0).from();
        Instant end = past.steps().get(count - 1).until();
        return List.of(
                Timeline.tick(LEFT, "start", begin, moments),
                Timeline.tick(
                        LEFT + WIDTH / 2.0,
                        "middle",
                        begin.plus(Duration.between(begin, end).dividedBy(2)),
                        moments),
                Timeline.tick(LEFT + WIDTH, "end", end, moments));
    }

    private List<View> table() {
        return past.steps().stream()
                .filter(step -> !step.rates().minutes().isEmpty())
                .map(step -> View.of("at", moments.view(step.from()))
                        .with("stepDelivered", Numbers.grouped(step.delivered()))
                        .with("stepFailed", Numbers.grouped(step.failed()))
                        .with("stepP50", orDash(Timeline.lateness(step.rates().lateness(), 0.5)))
                        .with("stepP99", orDash(Timeline.lateness(step.rates().lateness(), 0.99))))
                .toList();
    }

    private static String orDash(@Nullable String text) {
        return text == null ? "–" : text;
    }
}
