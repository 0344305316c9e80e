// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import io.delayqueue.control.QueueView;
import io.delayqueue.control.TaskDetails;
import io.delayqueue.internal.console.html.Moments;
import java.time.Duration;
import java.time.Instant;

/** Describes what happens to a task next, and when. */
final class TaskStory {

    private final Instant now;
    private final Moments moments;

    TaskStory(Instant now) {
        this.now = now;
        this.moments = new Moments(now);
    }

    String of(TaskDetails task, QueueView queue) {
        return switch (task.state()) {
            case SCHEDULED -> waiting(task, queue);
            case LEASED -> leased(task);
            case DEAD -> dead(task);
        };
    }

    private String waiting(TaskDetails task, QueueView queue) {
        Instant next = task.nextAttentionAt();
        String paused =
                queue.paused() ? " The queue is paused, so nothing is delivered until somebody resumes it." : "";
        if (next.isAfter(now)) {
            String what = task.failures() + task.leaseExpiries() == 0
                    ? "It is delivered for the first time"
                    : failed(task) + " It is tried again";
            return what + " " + moments.distance(next) + ", at " + Moments.utc(next) + "." + paused;
        }
        String since = Moments.length(Duration.between(next, now));
        return (task.failures() + task.leaseExpiries() == 0 ? "" : failed(task) + " ") + "It has been due for " + since
                + " and is taken by the next process that has room for it." + paused;
    }

    private static String failed(TaskDetails task) {
        int attempts = task.failures() + task.leaseExpiries();
        return attempts == 1 ? "One attempt has failed." : attempts + " attempts have failed.";
    }

    private String leased(TaskDetails task) {
        Instant end = task.nextAttentionAt();
        return end.isAfter(now)
                ? "A process delivers it now. If that has not ended at " + Moments.utc(end) + ", "
                        + moments.distance(end) + ", the process counts as lost and the task is delivered again."
                : "A process took it and did not end in time. It is delivered again as soon as a process has room for it.";
    }

    private String dead(TaskDetails task) {
        return "It was given up " + moments.distance(task.nextAttentionAt()) + ", at "
                + Moments.utc(task.nextAttentionAt()) + ". Nothing happens to it any more, until somebody redrives it,"
                + " which delivers it again at once, or discards it.";
    }
}
