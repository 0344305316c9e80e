// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import io.delayqueue.internal.console.html.Address;
import io.delayqueue.internal.console.html.Links;
import io.delayqueue.internal.console.html.Moments;
import io.delayqueue.internal.console.html.Numbers;
import io.delayqueue.internal.console.html.View;
import io.delayqueue.internal.control.DueCounts;
import io.delayqueue.internal.control.DueKinds;
import io.delayqueue.internal.control.Lateness;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A chart of past and future deliveries of a queue around "now", for the template {@code timeline}. The shortest and the
 * longest periods show only due tasks.
 *
 * @param begin start of the period with due tasks
 */
record Timeline(String queue, Links links, Zoom zoom, Instant begin, Moments moments) {

    static final int LEFT = 52;
    static final int WIDTH = 904;
    private static final int TOP = 16;
    private static final int BOTTOM = 216;

    /** @param past deliveries before now; null to show only due tasks */
    View view(DueCounts counts, DueKinds kinds, @Nullable PastChart past) {
        long mostDue = counts.counts().stream().mapToLong(Long::longValue).max().orElse(0);
        Axis axis = Axis.upTo(Math.max(mostDue, past == null ? 0 : past.most()), TOP, BOTTOM);
        double left = past == null ? LEFT : LEFT + WIDTH / 2.0;
        double width = (LEFT + WIDTH - left) / counts.counts().size();
        List<View> columns = new ArrayList<>();
        for (int i = 0; i < counts.counts().size(); i++) {
            columns.add(column(counts, kinds, i, left + i * width, width, axis));
        }
        Instant end =
                counts.from().plus(counts.width().multipliedBy(counts.counts().size()));
        return View.of("columns", columns)
                .with("past", past == null ? null : past.view(axis))
                .with("grid", axis.grid())
                .with("chartHeight", past == null ? 236 : 384)
                .with("chartTitle", past == null ? "Due tasks" : "Recent deliveries and due tasks")
                .with("ticks", ticks(end, left))
                .with("sliceLength", Moments.length(counts.width()).replaceAll("^(\\d+) (\\w+?)s?$", "$1-$2"))
                .with(
                        "total",
                        Numbers.of(
                                counts.counts().stream()
                                        .mapToLong(Long::longValue)
                                        .sum(),
                                "task"))
                .with("isPart", !kinds.all())
                .with("earlier", Numbers.grouped(counts.earlier()))
                .with("later", Numbers.grouped(counts.later()))
                .with("earlierLink", links.tasks(queue).with("until", counts.from()))
                .with("laterLink", links.tasks(queue).with("from", end))
                .with("zooms", zooms(counts.from()))
                .with("nowLink", isNow() ? null : links.queue(queue).with("zoom", zoom.label()) + "#future")
                .with("backLink", at(counts.from().minus(zoom.length())))
                .with("onLink", at(end));
    }

    static View column(double x, double width) {
        return View.of("x", round(x)).with("step", round(width)).with("width", round(width * 0.85));
    }

    private View column(DueCounts counts, DueKinds kinds, int slice, double x, double width, Axis axis) {
        long count = counts.counts().get(slice);
        Instant from = counts.from().plus(counts.width().multipliedBy(slice));
        Instant until = from.plus(counts.width());
        long retried = Math.min(count, kinds.retried().get(slice));
        long leased = Math.min(count - retried, kinds.leased().get(slice));
        double height = axis.height(count);
        double retryHeight = axis.height(retried);
        double leaseHeight = axis.height(leased);
        return column(x, width)
                .with("y", round(BOTTOM - height))
                .with("height", round(height))
                .with("retryHeight", round(retryHeight))
                .with("leaseY", round(BOTTOM - Math.min(height, retryHeight + leaseHeight)))
                .with("leaseHeight", round(leaseHeight))
                .with("retryY", round(BOTTOM - retryHeight))
                .with("isEmpty", count == 0)
                .with("words", words(count, retried, leased))
                .with("from", from)
                .with("until", until)
                .with("span", span(from, until))
                .with("columnLink", links.tasks(queue).with("from", from).with("until", until));
    }

    static String span(Instant from, Instant until) {
        return Moments.utc(from).replace(" UTC", "") + " to " + Moments.utc(until);
    }

    private static String words(long count, long retried, long leased) {
        return Numbers.of(count, "task")
                + (retried == 0 ? "" : ", " + Numbers.of(retried, "retry").replace("retrys", "retries"))
                + (leased == 0 ? "" : ", " + Numbers.grouped(leased) + " in progress");
    }

    private List<View> ticks(Instant end, double left) {
        List<View> ticks = new ArrayList<>();
        if (left > LEFT) {
            ticks.add(tick(LEFT, "start", begin.minus(zoom.length())));
            ticks.add(
                    tick((LEFT + left) / 2, "middle", begin.minus(zoom.length().dividedBy(2))));
            ticks.add(tick(left, "middle", moments.now()));
        } else {
            ticks.add(tick(LEFT, "start", begin));
        }
        ticks.add(tick(
                (left + LEFT + WIDTH) / 2, "middle", begin.plus(zoom.length().dividedBy(2))));
        ticks.add(tick(LEFT + WIDTH, "end", end));
        return ticks;
    }

    private View tick(double x, String anchor, Instant at) {
        return View.of("tickX", round(x))
                .with("tickAnchor", anchor)
                .with("tickAt", at)
                .with("isFine", zoom == Zoom.MINUTE)
                .with("tickLabel", moments.text(at));
    }

    private boolean isNow() {
        return begin.equals(moments.now().truncatedTo(zoom.begins()));
    }

    static String round(double value) {
        long tenths = Math.round(value * 10);
        return tenths % 10 == 0 ? String.valueOf(tenths / 10) : String.valueOf(tenths / 10.0);
    }

    private String at(Instant from) {
        Instant first = from.isBefore(Instant.EPOCH) ? Instant.EPOCH : from;
        return links.queue(queue).with("zoom", zoom.label()).with("from", first) + "#future";
    }

    private List<View> zooms(Instant from) {
        List<View> all = new ArrayList<>();
        for (Zoom each : Zoom.values()) {
            Address link = links.queue(queue).with("zoom", each.label());
            all.add(View.of("zoomLabel", each.label())
                    .with("isThis", each == zoom)
                    .with("zoomLink", (isNow() ? link : link.with("from", from)) + "#future"));
        }
        return all;
    }

    /** Formats a quantile of the lateness; null if nothing was delivered. */
    static @Nullable String lateness(Lateness lateness, double part) {
        Duration late = lateness.quantile(part);
        return late == null ? null : Moments.brief(late);
    }
}
