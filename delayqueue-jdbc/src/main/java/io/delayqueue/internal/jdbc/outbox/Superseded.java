// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.outbox;

import io.delayqueue.internal.store.TaskUpdate;
import io.delayqueue.internal.transaction.TaskChange;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds operations of a row that a later operation makes unnecessary: all operations before a cancel, a due time before
 * a later due time, and an update before later updates that set all that it sets. A schedule that replaces the task does not make earlier
 * operations unnecessary, because Redis may refuse it. All operations before a change of the group are kept, because
 * that change applies to existing tasks.
 */
public final class Superseded {

    private boolean cancelled;
    private boolean rescheduled;
    private boolean newPayload;
    private final Set<String> newHeaders = new HashSet<>();

    private Superseded() {}

    /** Returns the operations to execute, in order. */
    public static List<Operation> without(List<Operation> all) {
        Deque<Operation> necessary = new ArrayDeque<>(all.size());
        Map<String, Superseded> byTask = new HashMap<>();
        for (int i = all.size() - 1; i >= 0; i--) {
            TaskChange<?> change = all.get(i).change();
            if (change instanceof TaskChange.ChangeGroup) {
                byTask.clear();
                necessary.addFirst(all.get(i));
            } else if (byTask.computeIfAbsent(change.id(), any -> new Superseded())
                    .isNecessary(change)) {
                necessary.addFirst(all.get(i));
            }
        }
        return List.copyOf(necessary);
    }

    /** Returns whether a change is necessary. Call it for the changes of a task from last to first. */
    private boolean isNecessary(TaskChange<?> change) {
        boolean superfluous = cancelled
                || (change instanceof TaskChange.Reschedule && rescheduled)
                || (change instanceof TaskChange.Update update && isReplaced(update.update()));
        cancelled |= change instanceof TaskChange.Cancel;
        rescheduled |= change instanceof TaskChange.Reschedule;
        if (change instanceof TaskChange.Schedule) {
            rescheduled = false; // Earlier changes apply to the task that existed then.
            newPayload = false;
            newHeaders.clear();
        }
        return !superfluous;
    }

    /** Returns whether later updates set all that this one sets. Otherwise, adds what it sets. */
    private boolean isReplaced(TaskUpdate update) {
        boolean replaced = (newPayload || update.payload() == null)
                && newHeaders.containsAll(update.headers().keySet());
        newPayload |= update.payload() != null;
        newHeaders.addAll(update.headers().keySet());
        return replaced;
    }
}
