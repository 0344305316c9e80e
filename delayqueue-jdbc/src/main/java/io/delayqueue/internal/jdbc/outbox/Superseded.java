// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.outbox;

import io.delayqueue.internal.transaction.TaskChange;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Which operations of a task need not be carried out, as a later one decides alone what becomes of the task: all before
 * a cancel, a new due time before another one, a new payload before another one. A schedule that replaces would do so,
 * too, but it may be refused, and then the earlier operations would be missing.
 */
public final class Superseded {

    private Superseded() {}

    /** Those that have to be carried out, in their order. */
    public static List<Operation> without(List<Operation> all) {
        Deque<Operation> necessary = new ArrayDeque<>(all.size());
        boolean rescheduled = false;
        boolean updated = false;
        for (int i = all.size() - 1; i >= 0; i--) {
            TaskChange<?> change = all.get(i).change();
            boolean superfluous = (change instanceof TaskChange.Reschedule && rescheduled)
                    || (change instanceof TaskChange.Update && updated);
            if (!superfluous) {
                necessary.addFirst(all.get(i));
            }
            rescheduled |= change instanceof TaskChange.Reschedule;
            updated |= change instanceof TaskChange.Update;
            if (change instanceof TaskChange.Cancel) {
                break;
            }
            if (change instanceof TaskChange.Schedule) {
                rescheduled = false; // what came before is about the task that was there then
                updated = false;
            }
        }
        return List.copyOf(necessary);
    }
}
