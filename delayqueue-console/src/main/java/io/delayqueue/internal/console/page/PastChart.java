// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import io.delayqueue.control.Caller;
import io.delayqueue.internal.console.html.Moments;
import io.delayqueue.internal.console.html.Numbers;
import io.delayqueue.internal.console.html.View;
import io.delayqueue.internal.control.Lateness;
import io.delayqueue.internal.control.QueueControl;
import io.delayqueue.internal.control.QueueRates;
import io.delayqueue.internal.control.QueueRates.Period;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The part of a queue's chart before now: deliveries as columns, deliveries of yesterday and last week as lines, and
 * lateness on a logarithmic axis below them.
 */
final class PastChart {

    private static final int TOP = 256;
    private static final int BOTTOM = 370;
    private static final int LINE_HEIGHT = 20;
    private static final long OBJECTIVE_MILLIS = 1000;

    /**
     * A period of the same length some days ago, from the counts of hours.
     *
     * @param style end of the names of its CSS classes
     */
    record Earlier(String label, String style, Steps steps) {

        double delivered(int step) {
            return steps.steps().get(step).sum(Period::delivered);
        }

        /** Formats a count. A step can have a part of a delivery if it is shorter than an hour. */
        String deliveredText(int step) {
            double count = delivered(step);
            return count < 10 ? Timeline.round(count) : Numbers.grouped(Math.round(count));
        }
    }

    private final Steps past;
    private final List<Earlier> earlier;
    private final double width;
    private final Moments moments;
    private final int decades;

    /** @param width the width of a step */
    PastChart(Steps past, List<Earlier> earlier, double width, Instant now) {
        this.past = past;
        this.earlier = earlier;
        this.width = width;
        this.moments = new Moments(now);
        double latest = Stream.concat(Stream.of(past), earlier.stream().map(Earlier::steps))
                .flatMap(steps -> steps.steps().stream())
                .mapToDouble(step -> millis(step, 0.99))
                .filter(millis -> millis > 1)
                .max()
                .orElse(1);
        this.decades = Math.max(4, (int) Math.ceil(Math.log10(latest)));
    }

    static PastChart read(QueueControl control, Caller caller, String queue, Zoom zoom, ChronoUnit unit, Instant now) {
        Instant end = now.truncatedTo(unit).plus(1, unit);
        Instant begin = end.minus(zoom.length());
        List<Earlier> earlier = new ArrayList<>();
        for (int days : new int[] {1, 7}) {
            // A longer period would overlap with the one that it is compared with.
            if (zoom.length().compareTo(Duration.ofDays(days)) <= 0) {
                Instant from = begin.minus(Duration.ofDays(days));
                Instant first = from.truncatedTo(ChronoUnit.HOURS);
                QueueRates hours =
                        control.rates(caller, queue, ChronoUnit.HOURS, first, end.minus(Duration.ofDays(days)));
                if (!hours.periods().isEmpty()) {
                    earlier.add(new Earlier(
                            days == 1 ? "yesterday" : "last week",
                            days == 1 ? "day" : "week",
                            Steps.of(hours, from, zoom.width(), zoom.slices())));
                }
            }
        }
        Steps past = Steps.of(control.rates(caller, queue, unit, begin, end), begin, zoom.width(), zoom.slices());
        return new PastChart(past, earlier, (double) Timeline.WIDTH / 2 / zoom.slices(), now);
    }

    /** Returns the height of the highest column or line. */
    long most() {
        return IntStream.range(0, past.steps().size())
                .mapToLong(i -> Math.max(
                        past.steps().get(i).all(),
                        earlier.stream()
                                .mapToLong(each -> (long) Math.ceil(each.delivered(i)))
                                .max()
                                .orElse(0)))
                .max()
                .orElse(0);
    }

    View view(Axis axis) {
        QueueRates rates = past.rates();
        List<View> lines = new ArrayList<>();
        List<View> keys = new ArrayList<>();
        key(keys, "l-p99", "p99", rates.lateness(), 0.99);
        key(keys, "l-p50", "p50", rates.lateness(), 0.5);
        for (Earlier each : earlier) {
            String style = "l-" + each.style();
            line(lines, style, each.steps(), step -> axis.y(step.sum(Period::delivered)));
            line(lines, style, each.steps(), step -> y(millis(step, 0.99)));
            key(keys, style, "p99 " + each.label(), each.steps().rates().lateness(), 0.99);
        }
        line(lines, "l-p99", past, step -> y(millis(step, 0.99)));
        line(lines, "l-p50", past, step -> y(millis(step, 0.5)));
        return View.of("pastColumns", columns(axis))
                .with(
                        "overlays",
                        earlier.stream()
                                .map(each -> View.of("label", each.label()).with("style", each.style()))
                                .toList())
                .with("noYesterday", noYesterday())
                .with("lines", lines)
                .with("hitHeight", BOTTOM - axis.top())
                .with("lateGrid", grid())
                .with("keys", keys)
                .with("objectiveY", Timeline.round(y(OBJECTIVE_MILLIS)))
                .with("objectiveTextY", Timeline.round(y(OBJECTIVE_MILLIS) - 4))
                .with("delivered", Numbers.grouped(rates.sum(Period::delivered)))
                .with("failed", Numbers.grouped(rates.sum(Period::failed)))
                .with("died", Numbers.grouped(rates.sum(Period::dead)));
    }

    /** Returns whether the chart could show yesterday beside this period, but has no deliveries of it. */
    private boolean noYesterday() {
        Instant begin = past.steps().get(0).from();
        Instant end = past.steps().get(past.steps().size() - 1).until();
        return !end.isAfter(begin.plus(Duration.ofDays(1)))
                && earlier.stream().noneMatch(each -> each.style().equals("day"));
    }

    private static double millis(Steps.Step step, double part) {
        Duration late = step.rates().lateness().quantile(part);
        return late == null ? Double.NaN : late.toNanos() / 1e6;
    }

    private double y(double millis) {
        return BOTTOM - Math.log10(Math.max(1, millis)) / decades * (BOTTOM - TOP);
    }

    private List<View> grid() {
        return IntStream.rangeClosed(0, decades)
                .mapToObj(decade -> (long) Math.pow(10, decade))
                .map(millis ->
                        Axis.line(y(millis), millis < 1000 ? millis + " ms" : Numbers.grouped(millis / 1000) + " s"))
                .toList();
    }

    private static void key(List<View> keys, String style, String label, Lateness lateness, double part) {
        String late = Timeline.lateness(lateness, part);
        int y = TOP + (keys.size() + 1) * LINE_HEIGHT;
        if (late != null) {
            keys.add(View.of("lineClass", style)
                    .with("keyY", y)
                    .with("keyTextY", y + 4)
                    .with("keyText", label + " " + late));
        }
    }

    /** Adds the lines of a value, with a horizontal piece for each step. Steps without a value interrupt a line. */
    private void line(List<View> lines, String style, Steps steps, ToDoubleFunction<Steps.Step> height) {
        StringBuilder points = new StringBuilder();
        for (int i = 0; i <= steps.steps().size(); i++) {
            double y = i == steps.steps().size()
                    ? Double.NaN
                    : height.applyAsDouble(steps.steps().get(i));
            if (!Double.isNaN(y)) {
                points.append(point(i, y)).append(point(i + 1, y));
            } else if (points.length() > 0) {
                lines.add(View.of("lineClass", style)
                        .with("points", points.toString().strip()));
                points.setLength(0);
            }
        }
    }

    private String point(int step, double y) {
        return Timeline.round(Timeline.LEFT + step * width) + "," + Timeline.round(y) + " ";
    }

    /** Returns the steps in which anything was delivered, also as rows of a table. */
    private List<View> columns(Axis axis) {
        List<View> columns = new ArrayList<>();
        for (int i = 0; i < past.steps().size(); i++) {
            int number = i;
            Steps.Step step = past.steps().get(i);
            if (step.all() > 0 || earlier.stream().anyMatch(each -> each.delivered(number) > 0)) {
                double delivered = axis.height(step.delivered());
                double failed = axis.height(step.failed());
                String p50 = Timeline.lateness(step.rates().lateness(), 0.5);
                String p99 = Timeline.lateness(step.rates().lateness(), 0.99);
                String words = Numbers.grouped(step.delivered()) + " delivered, " + Numbers.grouped(step.failed())
                        + " failed"
                        + earlier.stream()
                                .map(each -> ", " + each.label() + " " + each.deliveredText(number))
                                .collect(Collectors.joining())
                        + (p50 == null ? "" : ", p50 " + p50 + ", p99 " + p99);
                columns.add(Timeline.column(Timeline.LEFT + i * width, width)
                        .with("words", words)
                        .with("from", step.from())
                        .with("until", step.until())
                        .with("span", Timeline.span(step.from(), step.until()))
                        .with("y", Timeline.round(axis.bottom() - delivered))
                        .with("height", Timeline.round(delivered))
                        .with("failY", Timeline.round(axis.bottom() - delivered - failed))
                        .with("failHeight", Timeline.round(failed))
                        .with("at", moments.view(step.from()))
                        .with("stepDelivered", Numbers.grouped(step.delivered()))
                        .with("stepFailed", Numbers.grouped(step.failed()))
                        .with(
                                "stepEarlier",
                                earlier.stream()
                                        .map(each -> View.of("count", each.deliveredText(number)))
                                        .toList())
                        .with("stepP50", p50 == null ? "–" : p50)
                        .with("stepP99", p99 == null ? "–" : p99));
            }
        }
        return columns;
    }
}
