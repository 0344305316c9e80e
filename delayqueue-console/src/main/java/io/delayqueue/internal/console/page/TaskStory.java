// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import io.delayqueue.internal.console.html.Moments;
import io.delayqueue.internal.console.html.Numbers;
import io.delayqueue.internal.console.html.View;
import io.delayqueue.internal.control.QueueView;
import io.delayqueue.internal.control.TaskDetails;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Describes what happens to a task next, and when, for the template {@code task-facts}.
 *
 * @param most the maximum number of attempts, such as {@code " of 10"}; empty if it is unknown
 */
record TaskStory(Moments moments, String most) {

    /** @param limit the limit of the task's key in words; null for none */
    View of(TaskDetails task, QueueView queue, @Nullable String limit) {
        return switch (task.state()) {
            case SCHEDULED -> scheduled(task, queue, limit);
            case LEASED -> leased(task);
            case DEAD ->
                story(
                        "Dead since ",
                        task.nextAttentionAt(),
                        " (" + moments.distance(task.nextAttentionAt())
                                + "). It stays dead until an operator redrives or discards it.");
        };
    }

    private View story(String before, @Nullable Instant at, String after) {
        return View.of("before", before).with("at", moments.view(at)).with("after", after);
    }

    private View scheduled(TaskDetails task, QueueView queue, @Nullable String limit) {
        Instant next = task.nextAttentionAt();
        String paused = queue.paused()
                ? " The queue is paused: deliveries resume " + Attention.resumes(queue.pause(), moments) + "."
                : "";
        if (next.isAfter(moments.now()) && task.heldBackSince() != null) {
            return story(
                    "Waits for its turn: key " + task.key() + (limit == null ? "" : ", " + limit)
                            + ". The key's next task starts about ",
                    next,
                    "." + paused);
        }
        if (next.isAfter(moments.now())) {
            String what = isFirst(task) ? "First delivery " : failed(task) + "Next retry ";
            return story(what + moments.distance(next) + ", at ", next, "." + paused);
        }
        String since = Moments.length(Duration.between(next, moments.now()));
        return story(
                failed(task) + "Overdue by " + since + "; "
                        + (queue.paused()
                                ? "not delivered."
                                : "waiting for a free worker, " + Numbers.grouped(queue.leased()) + " in progress.")
                        + paused,
                null,
                "");
    }

    private static boolean isFirst(TaskDetails task) {
        return task.failures() + task.leaseExpiries() == 0;
    }

    private String failed(TaskDetails task) {
        int attempts = task.failures() + task.leaseExpiries();
        if (attempts > 0 && task.leaseExpiries() == 0 && !most.isEmpty()) {
            return attempts + most + " attempts failed. ";
        }
        return attempts == 0 ? "" : attempts == 1 ? "1 attempt failed. " : attempts + " attempts failed. ";
    }

    private View leased(TaskDetails task) {
        String holder = task.holder() == null ? "" : " on " + task.holder();
        return task.nextAttentionAt().isAfter(moments.now())
                ? story(
                        "In progress" + holder + ". If the lease is not renewed by ",
                        task.nextAttentionAt(),
                        ", another process takes over.")
                : story(
                        "In progress" + holder + ", but the lease expired at ",
                        task.nextAttentionAt(),
                        ". Another process takes over when it has a free worker.");
    }
}
