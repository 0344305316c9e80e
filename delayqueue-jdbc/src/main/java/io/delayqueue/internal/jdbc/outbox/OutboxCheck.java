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
 * Holds back a delivery if the outbox has a committed operation that would prevent it: a cancel, a later due time, a
 * replacement or another payload. Reads by primary key, once for all deliveries that start together.
 *
 * @param table supplies the table, when a delivery is first checked
 * @param queues the queues to check
 */
public record OutboxCheck(Supplier<OutboxTable> table, Set<String> queues) implements DeliveryCheck {

    private static final Base64.Encoder TEXT = Base64.getUrlEncoder().withoutPadding();

    public OutboxCheck {
        queues = Set.copyOf(queues);
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
            return true; // Held back until the relay has rejected the row.
        }
    }

    /**
     * Returns whether the operations prevent this delivery. Ignores operations up to the one that created the task,
     * because operations remain in the row for a short time after they have reached Redis.
     */
    static boolean isHeldBack(Delivery delivery, List<Operation> operations) {
        boolean held = false;
        for (Operation operation : operations) {
            TaskChange<?> change = operation.change();
            if (change instanceof TaskChange.ChangeGroup group) {
                held |= takesAway(group.operation(), delivery);
            } else if (!change.id().equals(delivery.id())) {
                continue; // The operation concerns another task of the group.
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
