// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.TaskContent;
import io.delayqueue.delivery.OpenDelivery;
import io.delayqueue.internal.engine.LeasedDelivery.AcquiredAt;
import io.delayqueue.internal.queue.QueueSettingsBuilder;
import io.delayqueue.internal.store.AcquiredTask;
import io.delayqueue.internal.store.QueueClock;
import io.delayqueue.internal.store.Shard;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/** A delivery without a stored task, for tests outside this package. */
public final class SomeDelivery {

    private SomeDelivery() {}

    /** Due when it is made. */
    public static OpenDelivery of(String queue) {
        TaskContent content = new TaskContent("text/plain", Map.of(), new byte[0]);
        return new LeasedDelivery(
                new Shard(queue, 0),
                new AcquiredTask("a", "", Instant.EPOCH, 0, 0, content),
                new Lease(1, System.nanoTime() + Duration.ofMinutes(1).toNanos()),
                new AcquiredAt(0, System.nanoTime(), QueueClock.SERVERS),
                QueueSettingsBuilder.withDefaults(queue),
                new NotedDeliveries());
    }
}
