// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import io.delayqueue.admin.DueCounts;
import io.delayqueue.admin.DueKinds;
import io.delayqueue.internal.console.html.Moments;
import io.delayqueue.internal.console.html.Numbers;
import io.delayqueue.internal.console.html.View;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** How many tasks are due when, as columns of an image that the template {@code histogram} draws. */
final class Histogram {

    private static final int WIDTH = 960;
    private static final int HEIGHT = 200;

    private final String queue;
    private final Links links;
    private final Zoom zoom;

    Histogram(String queue, Links links, Zoom zoom) {
        this.queue = queue;
        this.links = links;
        this.zoom = zoom;
    }

    View view(DueCounts counts, DueKinds kinds) {
        long most = Math.max(
                1, counts.counts().stream().mapToLong(Long::longValue).max().orElse(0));
        List<View> columns = new ArrayList<>();
        for (int i = 0; i < counts.counts().size(); i++) {
            columns.add(column(counts, kinds, i, most));
        }
        Instant end =
                counts.from().plus(counts.width().multipliedBy(counts.counts().size()));
        return View.of("columns", columns)
                .with("most", Numbers.grouped(most))
                .with("begin", Moments.utc(counts.from()))
                .with(
                        "middle",
                        Moments.utc(counts.from()
                                .plus(Duration.between(counts.from(), end).dividedBy(2))))
                .with("end", Moments.utc(end))
                .with("sliceLength", Moments.length(counts.width()))
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
                .with("backLink", at(counts.from().minus(zoom.length())))
                .with("onLink", at(end));
    }

    private View column(DueCounts counts, DueKinds kinds, int slice, long most) {
        long count = counts.counts().get(slice);
        Instant from = counts.from().plus(counts.width().multipliedBy(slice));
        Instant until = from.plus(counts.width());
        double step = (double) WIDTH / counts.counts().size();
        long retried = Math.min(count, kinds.retried().get(slice));
        long leased = Math.min(count - retried, kinds.leased().get(slice));
        int height = count == 0 ? 0 : Math.max(2, height(count, most));
        int retryHeight = retried == 0 ? 0 : Math.max(2, height(retried, most));
        int leaseHeight = leased == 0 ? 0 : Math.max(2, height(leased, most));
        return View.of("x", (int) (slice * step))
                .with("width", Math.max(1, (int) step - 1))
                .with("y", HEIGHT - height)
                .with("height", height)
                .with("retryHeight", retryHeight)
                .with("leaseY", HEIGHT - Math.min(height, retryHeight + leaseHeight))
                .with("leaseHeight", leaseHeight)
                .with("retryY", HEIGHT - retryHeight)
                .with("isEmpty", count == 0)
                .with("count", words(count, retried, leased))
                .with("from", Moments.utc(from))
                .with("until", Moments.utc(until))
                .with("link", links.tasks(queue).with("from", from).with("until", until));
    }

    private static int height(long count, long most) {
        return (int) Math.round((double) count / most * HEIGHT);
    }

    private static String words(long count, long retried, long leased) {
        return Numbers.of(count, "task")
                + (retried == 0 ? "" : ", " + Numbers.grouped(retried) + " tried again")
                + (leased == 0 ? "" : ", " + Numbers.grouped(leased) + " under delivery");
    }

    private String at(Instant from) {
        Instant begin = from.isBefore(Instant.EPOCH) ? Instant.EPOCH : from;
        return links.queue(queue).with("zoom", zoom.label()).with("from", begin) + "#future";
    }

    private List<View> zooms(Instant from) {
        List<View> all = new ArrayList<>();
        for (Zoom each : Zoom.values()) {
            all.add(View.of("label", each.label())
                    .with("isThis", each == zoom)
                    .with("link", links.queue(queue).with("zoom", each.label()).with("from", from) + "#future"));
        }
        return all;
    }
}
