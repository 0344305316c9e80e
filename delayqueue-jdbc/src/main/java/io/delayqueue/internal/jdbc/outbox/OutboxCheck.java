// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.outbox;

import io.delayqueue.delivery.Delivery;
import io.delayqueue.internal.engine.DeliveryCheck;
import io.delayqueue.internal.store.NewTask;
import io.delayqueue.internal.transaction.GroupOperation;
import io.delayqueue.internal.transaction.TaskChange;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Holds back deliveries of tasks of which the outbox has an operation that has committed and would take the delivery away: a cancel, a
 * later due time, a task that replaces, another payload. Reads by the primary key, once for deliveries that begin together.
 */
public final class OutboxCheck implements DeliveryCheck {

    private static final Base64.Encoder TEXT = Base64.getUrlEncoder().withoutPadding();

    private final Supplier<OutboxTable> table;
    private final Set<String> queues;

    /**
     * @param table asked for with the first delivery that is checked
     * @param queues whose deliveries are checked
     */
    public OutboxCheck(Supplier<OutboxTable> table, Set<String> queues) {
        this.table = table;
        this.queues = Set.copyOf(queues);
    }

    @Override
    public boolean concerns(String queue) {
        return queues.contains(queue);
    }

    @Override
    public Set<String> heldBack(String queue, List<? extends Delivery> deliveries) {
        Map<RowKey, List<Delivery>> byRow = new HashMap<>();
        for (Delivery delivery : deliveries) {
            byRow.computeIfAbsent(RowKey.of(queue, delivery.id()), any -> new ArrayList<>(1))
                    .add(delivery);
        }
        Set<String> held = new HashSet<>();
        for (OutboxRow row : table.get().find(byRow.keySet())) {
            for (Delivery delivery : byRow.getOrDefault(row.key(), List.of())) {
                if (isHeldBack(delivery, row)) {
                    held.add(delivery.id());
                }
            }
        }
        return held;
    }

    private static boolean isHeldBack(Delivery delivery, OutboxRow row) {
        try {
            return isHeldBack(delivery, OperationFormat.decode(row.queue(), row.id(), row.operations()));
        } catch (UnreadableOperationsException ex) {
            return true; // until the relay has put it aside
        }
    }

    /** Operations that have reached Redis stay in the row for a moment: those up to the one that has made the task are no news. */
    static boolean isHeldBack(Delivery delivery, List<Operation> operations) {
        boolean held = false;
        for (Operation operation : operations) {
            TaskChange<?> change = operation.change();
            if (change instanceof TaskChange.ChangeGroup group) {
                held |= takesAway(group.operation(), delivery);
            } else if (!change.id().equals(delivery.id())) {
                continue; // of another task of the group
            } else if (change instanceof TaskChange.Schedule schedule) {
                held = !isOf(delivery, schedule.task()) && (held || replaces(schedule.task(), delivery));
            } else if (change instanceof TaskChange.Reschedule reschedule) {
                held |= reschedule.due().millis() > delivery.dueAt().toEpochMilli();
            } else {
                held = true;
            }
        }
        return held;
    }

    private static boolean takesAway(GroupOperation operation, Delivery delivery) {
        return switch (operation.verb()) {
            case CANCEL -> true;
            case DUE ->
                Objects.requireNonNull(operation.due()).millis()
                        > delivery.dueAt().toEpochMilli();
            case SHIFT -> operation.shiftMillis() > 0;
        };
    }

    private static boolean isOf(Delivery delivery, NewTask task) {
        return TEXT.encodeToString(task.requestId()).equals(delivery.taskKey());
    }

    private static boolean replaces(NewTask task, Delivery delivery) {
        long due = task.due().millis();
        long before = delivery.dueAt().toEpochMilli();
        return switch (task.conflictPolicy()) {
            case REPLACE, DEBOUNCE -> true;
            case KEEP, THROTTLE -> false;
            case KEEP_EARLIER -> due < before;
            case KEEP_LATER -> due > before;
        };
    }
}
