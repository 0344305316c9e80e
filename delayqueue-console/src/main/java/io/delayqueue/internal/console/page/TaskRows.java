// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import io.delayqueue.TaskState;
import io.delayqueue.internal.console.html.Links;
import io.delayqueue.internal.console.html.Moments;
import io.delayqueue.internal.console.html.Numbers;
import io.delayqueue.internal.console.html.View;
import io.delayqueue.internal.control.TaskView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tasks as rows of a table. */
record TaskRows(Links links, Moments moments) {

    List<View> of(List<TaskView> tasks) {
        return tasks.stream().map(this::row).toList();
    }

    private View row(TaskView task) {
        return View.of("id", task.id())
                .with("link", links.task(task.queue(), task.id()))
                .with("queueName", task.queue())
                .with("state", state(task.state()))
                .with("dueAt", moments.view(task.dueAt()))
                .with("nextAttentionAt", moments.view(task.nextAttentionAt()))
                .with("attempts", attempts(task.failures(), task.leaseExpiries()))
                .with("lastReason", task.lastReason())
                .with("holder", task.holder())
                .with("message", task.lastReason() == null ? "–" : ReasonsPage.message(task.lastReason()));
    }

    static String state(TaskState state) {
        return switch (state) {
            case SCHEDULED -> "scheduled";
            case LEASED -> "in progress";
            case DEAD -> "dead";
        };
    }

    static @Nullable String attempts(int failures, int leaseExpiries) {
        return attempts(failures, leaseExpiries, "");
    }

    /**
     * Formats the attempts of a task; null for none.
     *
     * @param most the maximum number of attempts, such as {@code " of 10"}; empty if it is unknown
     */
    static @Nullable String attempts(int failures, int leaseExpiries, String most) {
        if (failures == 0 && leaseExpiries == 0) {
            return null;
        }
        String expired = Numbers.of(leaseExpiries, "lease") + " expired";
        return failures == 0 ? expired : failures + most + " failed" + (leaseExpiries == 0 ? "" : ", " + expired);
    }
}
