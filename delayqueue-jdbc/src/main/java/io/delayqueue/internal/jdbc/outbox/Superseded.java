// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.outbox;

import io.delayqueue.internal.queue.TaskBounds;
import io.delayqueue.internal.store.GroupChange;
import io.delayqueue.internal.store.TaskUpdate;
import io.delayqueue.internal.transaction.TaskChange;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds operations of a row that a later operation makes unnecessary: all operations before a cancel of the task or of
 * its group, a due time before a later due time, and a payload before a later payload. A schedule that replaces the
 * task, or an update that sets headers of the application, does not make earlier operations unnecessary, because Redis
 * may refuse it. All operations before another change of the group are kept, because that change applies to existing
 * tasks.
 */
public final class Superseded {

    private boolean cancelled;
    private boolean rescheduled;
    private boolean newPayload;

    private Superseded() {}

    /** Returns the operations to execute, in order. */
    public static List<Operation> without(List<Operation> all) {
        Deque<Operation> necessary = new ArrayDeque<>(all.size());
        Map<String, Superseded> byTask = new HashMap<>();
        for (int i = all.size() - 1; i >= 0; i--) {
            TaskChange<?> change = all.get(i).change();
            if (change instanceof TaskChange.ChangeGroup group) {
                byTask.clear();
                necessary.addFirst(all.get(i));
                if (group.operation().verb() == GroupChange.Verb.CANCEL
                        && group.operation().from().isEmpty()) {
                    break; // No task is left, unlike after a cancel that resumes at a later position.
                }
            } else if (byTask.computeIfAbsent(change.id(), any -> new Superseded())
                    .isNecessary(change)) {
                necessary.addFirst(all.get(i));
            }
        }
        return List.copyOf(necessary);
    }

    /** Returns whether a change is necessary. Call it for the changes of a task from last to first. */
    private boolean isNecessary(TaskChange<?> change) {
        boolean setsPayload = change instanceof TaskChange.Update update && setsOnlyPayload(update.update());
        boolean superfluous =
                cancelled || (change instanceof TaskChange.Reschedule && rescheduled) || (setsPayload && newPayload);
        cancelled |= change instanceof TaskChange.Cancel;
        rescheduled |= change instanceof TaskChange.Reschedule;
        newPayload |= setsPayload;
        if (change instanceof TaskChange.Schedule) {
            rescheduled = false; // Earlier changes apply to the task that existed then.
            newPayload = false;
        }
        return !superfluous;
    }

    /** Returns whether an update sets a payload, with its type and version, and no headers of the application. */
    private static boolean setsOnlyPayload(TaskUpdate update) {
        return update.payload() != null
                && update.headers().keySet().stream()
                        .allMatch(name -> name.startsWith(TaskBounds.RESERVED_HEADER_PREFIX));
    }
}
