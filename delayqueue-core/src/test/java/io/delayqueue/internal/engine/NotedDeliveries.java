// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.TaskContent;
import io.delayqueue.internal.engine.LeasedDelivery.AcquiredAt;
import io.delayqueue.internal.queue.QueueSettingsBuilder;
import io.delayqueue.internal.store.AcquiredTask;
import io.delayqueue.internal.store.QueueClock;
import io.delayqueue.internal.store.Settlement;
import io.delayqueue.internal.store.Shard;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Creates deliveries without stored tasks, and records their outcomes. */
final class NotedDeliveries implements DeliveryOutcomes {

    private static final Shard SHARD = new Shard("orders", 0);

    private final List<String> notes = new CopyOnWriteArrayList<>();

    /** Due when it is made. */
    LeasedDelivery delivery(String id) {
        return delivery(id, Duration.ZERO);
    }

    /** @param untilDue from when it is made */
    LeasedDelivery delivery(String id, Duration untilDue) {
        return delivery(id, untilDue, 0);
    }

    /** Returns a delivery of a task that may kill the process. */
    LeasedDelivery suspect(String id) {
        return delivery(id, Duration.ZERO, 1);
    }

    private LeasedDelivery delivery(String id, Duration untilDue, int expiries) {
        TaskContent content = new TaskContent("text/plain", Map.of(), new byte[0]);
        AcquiredTask task = new AcquiredTask(id, "", Instant.EPOCH.plus(untilDue), 0, expiries, content);
        return new LeasedDelivery(
                SHARD,
                task,
                new Lease(1, System.nanoTime() + Duration.ofMinutes(1).toNanos()),
                new AcquiredAt(0, System.nanoTime(), QueueClock.SERVERS),
                QueueSettingsBuilder.withDefaults("orders"),
                this);
    }

    /** Returns the outcomes in order, such as "ACK a" or "RELEASE b". */
    List<String> notes() {
        return List.copyOf(notes);
    }

    /** One whose id is "broken" cannot be asked. */
    @Override
    public boolean isInTime(LeasedDelivery delivery) {
        if (delivery.id().equals("broken")) {
            throw new NoClassDefFoundError("of a calendar");
        }
        return true;
    }

    @Override
    public void settled(LeasedDelivery delivery, Settlement settlement, @Nullable Duration closesKeyFor) {
        notes.add(settlement.verb() + " " + delivery.id());
    }

    @Override
    public boolean renew(LeasedDelivery delivery, Duration atLeast) {
        return true;
    }
}
