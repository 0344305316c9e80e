// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import io.delayqueue.admin.QueuePause;
import io.delayqueue.internal.console.html.Moments;
import io.delayqueue.internal.console.html.Numbers;
import io.delayqueue.internal.console.html.View;
import io.delayqueue.internal.console.page.QueueFigures.Figures;
import io.delayqueue.internal.console.page.QueueFigures.Status;
import io.delayqueue.internal.control.QueueRates;
import io.delayqueue.internal.control.QueueView;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Sentences about a queue that needs attention. Each has parts in bold and plain text. */
final class Attention {

    private Attention() {}

    /** Returns the title of the status, such as "orders is failing". */
    static String title(Figures figures) {
        return figures.queue().queue() + " is " + figures.status().label().toLowerCase(Locale.ROOT);
    }

    /** Returns the parts of the sentences; none for a queue that is running. */
    static List<View> parts(Figures figures, Moments moments) {
        return switch (figures.status()) {
            case FAILING -> failing(figures);
            case BEHIND -> behind(figures);
            case PAUSED -> paused(figures.queue(), moments);
            case RUNNING -> List.of();
        };
    }

    /** Returns who paused the queue and when, such as " by ada 3 minutes ago"; empty if that is unknown. */
    static String paused(@Nullable QueuePause pause, Moments moments) {
        if (pause == null || pause.by().isEmpty()) {
            return "";
        }
        return " by " + pause.by() + " " + moments.distance(pause.since());
    }

    /** Returns who paused the queue and why, as a sentence and a space; empty if that is unknown. */
    static String pausedWhy(@Nullable QueuePause pause) {
        if (pause == null || (pause.by().isEmpty() && pause.reason().isEmpty())) {
            return "";
        }
        return "It was paused" + (pause.by().isEmpty() ? "" : " by " + pause.by())
                + (pause.reason().isEmpty() ? "" : ": " + pause.reason()) + ". ";
    }

    static String resumes(@Nullable QueuePause pause, Moments moments) {
        Instant until = pause == null ? null : pause.until();
        return until == null
                ? "when an operator resumes the queue"
                : moments.distance(until) + ", or when an operator resumes the queue";
    }

    private static List<View> paused(QueueView queue, Moments moments) {
        QueuePause pause = queue.pause();
        View end = pause == null ? null : moments.view(pause.until());
        String reason = pause == null || pause.reason().isEmpty() ? "" : "Reason: " + pause.reason() + ". ";
        return List.of(
                part(
                                "Paused" + paused(pause, moments) + ". ",
                                reason + "Deliveries resume " + (end == null ? "" : "at "))
                        .with("at", end),
                part("", (end == null ? "" : ", ") + resumes(pause, moments) + ". "),
                part(Numbers.grouped(queue.ready()), " overdue."));
    }

    private static List<View> failing(Figures figures) {
        return List.of(
                part(
                        Numbers.percent(figures.failedShare()),
                        " of " + Numbers.of(figures.attemptsLately(), "attempt") + " failed in the last 5 minutes. "),
                part(Numbers.grouped(figures.queue().dead()), " dead."));
    }

    private static List<View> behind(Figures figures) {
        long delivered = figures.lately().sum(QueueRates.Period::delivered);
        long perMinute = Math.round((double) delivered / QueueFigures.LATELY.toMinutes());
        String oldest = figures.overdue() == null ? "" : ", the oldest for " + Moments.brief(figures.overdue());
        return List.of(
                part(Numbers.grouped(figures.queue().ready()), " overdue" + oldest + ". "),
                part(
                        Numbers.grouped(figures.queue().leased()),
                        " in progress, " + Numbers.grouped(perMinute) + " delivered a minute."));
    }

    static View part(String bold, String text) {
        return View.of("bold", bold).with("text", text).with("at", null);
    }

    /** Returns whether the status is a warning instead of a failure. */
    static boolean isMild(Status status) {
        return status != Status.FAILING;
    }
}
