// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import io.delayqueue.control.Lateness;
import io.delayqueue.control.QueueRates;
import io.delayqueue.internal.console.html.Moments;
import io.delayqueue.internal.console.html.Numbers;
import io.delayqueue.internal.console.html.View;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Deliveries and their lateness in the last hours, in sixty steps. */
final class Past {

    static final int LONGEST_HOURS = 24;

    private static final int STEPS = 60;
    private static final int STEP_WIDTH = 16;
    private static final int HEIGHT = 120;
    private static final int[] HOURS = {1, 3, 6, LONGEST_HOURS};

    private final String queue;
    private final Links links;
    private final int hours;
    private final Instant end;

    Past(String queue, Links links, int hours, Instant now) {
        this.queue = queue;
        this.links = links;
        this.hours = hours;
        this.end = now.truncatedTo(ChronoUnit.MINUTES).plus(1, ChronoUnit.MINUTES);
    }

    Instant begin() {
        return end.minus(Duration.ofHours(hours));
    }

    Instant end() {
        return end;
    }

    /** The minutes of one step together. */
    private record Step(Instant from, List<QueueRates.Minute> minutes) {

        long sum(ToLongFunction<QueueRates.Minute> of) {
            return minutes.stream().mapToLong(of).sum();
        }

        Lateness lateness() {
            return minutes.stream().map(QueueRates.Minute::lateness).reduce(Lateness.NONE, Lateness::plus);
        }

        long all() {
            return sum(QueueRates.Minute::delivered) + sum(QueueRates.Minute::failed) + sum(QueueRates.Minute::dead);
        }

        long p99() {
            return millis(lateness().quantile(0.99));
        }
    }

    private static long millis(@Nullable Duration duration) {
        return duration == null ? 0 : duration.toMillis();
    }

    View view(QueueRates rates) {
        List<Step> steps = steps(rates);
        long most = Math.max(1, steps.stream().mapToLong(Step::all).max().orElse(0));
        long latest = Math.max(1, steps.stream().mapToLong(Step::p99).max().orElse(0));
        List<View> columns = new ArrayList<>();
        for (int i = 0; i < STEPS; i++) {
            columns.add(column(i, steps.get(i), most, latest));
        }
        return View.of("columns", columns)
                .with("none", rates.minutes().isEmpty())
                .with("most", Numbers.grouped(most))
                .with("latest", Moments.length(Duration.ofMillis(latest)))
                .with("begin", Moments.utc(begin()))
                .with("end", Moments.utc(end))
                .with("stepLength", Moments.length(Duration.ofMinutes(hours)))
                .with(
                        "delivered",
                        Numbers.grouped(rates.minutes().stream()
                                .mapToLong(QueueRates.Minute::delivered)
                                .sum()))
                .with(
                        "failed",
                        Numbers.grouped(rates.minutes().stream()
                                .mapToLong(QueueRates.Minute::failed)
                                .sum()))
                .with(
                        "died",
                        Numbers.grouped(rates.minutes().stream()
                                .mapToLong(QueueRates.Minute::dead)
                                .sum()))
                .with("p50", lateness(rates.lateness(), 0.5))
                .with("p99", lateness(rates.lateness(), 0.99))
                .with("spans", spans());
    }

    /** Null where nothing was delivered. */
    static @Nullable String lateness(Lateness lateness, double part) {
        Duration late = lateness.quantile(part);
        return late == null ? null : Moments.length(late);
    }

    private List<Step> steps(QueueRates rates) {
        List<Step> steps = new ArrayList<>();
        for (int i = 0; i < STEPS; i++) {
            steps.add(new Step(begin().plus(Duration.ofMinutes((long) i * hours)), new ArrayList<>()));
        }
        for (QueueRates.Minute minute : rates.minutes()) {
            long step = Duration.between(begin(), minute.minute()).toMinutes() / hours;
            if (step >= 0 && step < STEPS) {
                steps.get((int) step).minutes().add(minute);
            }
        }
        return steps;
    }

    private View column(int i, Step step, long most, long latest) {
        long delivered = step.sum(QueueRates.Minute::delivered);
        long failed = step.sum(QueueRates.Minute::failed) + step.sum(QueueRates.Minute::dead);
        int deliveredHeight = height(delivered, most);
        int failedHeight = height(failed, most);
        Lateness lateness = step.lateness();
        int p50Height = height(millis(lateness.quantile(0.5)), latest);
        int p99Height = height(millis(lateness.quantile(0.99)), latest);
        return View.of("x", i * STEP_WIDTH)
                .with("at", Moments.utc(step.from()))
                .with("delivered", Numbers.grouped(delivered))
                .with("failed", Numbers.grouped(failed))
                .with("p50", lateness(lateness, 0.5))
                .with("p99", lateness(lateness, 0.99))
                .with("deliveredY", HEIGHT - deliveredHeight)
                .with("deliveredHeight", deliveredHeight)
                .with("failedY", HEIGHT - Math.min(HEIGHT, deliveredHeight + failedHeight))
                .with("failedHeight", failedHeight)
                .with("p50Y", HEIGHT - p50Height)
                .with("p50Height", p50Height)
                .with("p99Y", HEIGHT - p99Height)
                .with("p99Height", p99Height)
                .with("isEmpty", step.minutes().isEmpty());
    }

    private static int height(long value, long most) {
        return value == 0 ? 0 : Math.max(2, (int) Math.round((double) value / most * HEIGHT));
    }

    private List<View> spans() {
        List<View> spans = new ArrayList<>();
        for (int each : HOURS) {
            spans.add(View.of("label", Numbers.of(each, "hour"))
                    .with("isThis", each == hours)
                    .with("link", links.queue(queue).with("hours", each) + "#past"));
        }
        return spans;
    }
}
