// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.outbox;

import io.delayqueue.internal.transaction.TaskChange;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which operations of a row need not be carried out, as a later one decides alone what becomes of the task: all before a
 * cancel, a new due time before another one, a new payload before another one. A schedule that replaces would do so, too,
 * but it may be refused, and then the earlier operations would be missing. What comes before a change of the group is
 * carried out, as that change reaches the tasks that are there.
 */
public final class Superseded {

    private boolean cancelled;
    private boolean rescheduled;
    private boolean updated;

    private Superseded() {}

    /** Those that have to be carried out, in their order. */
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

    /** Looks at the changes of a task from the last to the first. */
    private boolean isNecessary(TaskChange<?> change) {
        boolean superfluous = cancelled
                || (change instanceof TaskChange.Reschedule && rescheduled)
                || (change instanceof TaskChange.Update && updated);
        cancelled |= change instanceof TaskChange.Cancel;
        rescheduled |= change instanceof TaskChange.Reschedule;
        updated |= change instanceof TaskChange.Update;
        if (change instanceof TaskChange.Schedule) {
            rescheduled = false; // what came before is about the task that was there then
            updated = false;
        }
        return !superfluous;
    }
}
