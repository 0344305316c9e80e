// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.delivery.OpenDelivery;
import io.delayqueue.delivery.Outcome;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.queue.QueueSettingsBuilder;
import io.delayqueue.internal.redis.StoreFixture;
import io.delayqueue.internal.sharding.Sharding;
import io.delayqueue.internal.sharding.Shardings;
import io.delayqueue.internal.store.Shard;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DeadForwardingIntegrationTests {

    private static final Shard SHARD = new Shard("orders", 0);

    private final StoreFixture redis = new StoreFixture();
    private final Engine engine =
            new Engine(redis.store(), Shardings.fixed(queue -> Sharding.initial(1)), new Scheduler(), EngineHooks.NONE);
    private final List<String> forwarded = new ArrayList<>();

    @AfterEach
    void close() {
        engine.close();
        redis.close();
    }

    private Instant serverNow() {
        return redis.store().clock().now();
    }

    private void awaitNextMillisecond() {
        Instant before = serverNow();
        while (serverNow().toEpochMilli() == before.toEpochMilli()) {
            Thread.onSpinWait();
        }
    }

    /**
     * Like a broker that confirms slowly: in the meantime the application schedules the id again, and that task dies
     * too.
     */
    @Test
    void runWhenATaskOfTheSameIdHasDiedMeanwhileForwardsThatOneAsWell() {
        redis.makeDead(SHARD, List.of("order-1", "order-2"));
        DeadForwarding forwarding = engine.deadForwarding(
                QueueSettingsBuilder.withDefaults("orders"),
                deliveries -> {
                    if (forwarded.isEmpty()) {
                        awaitNextMillisecond();
                        redis.makeDead(SHARD, List.of("order-1"), 2);
                    }
                    for (OpenDelivery delivery : deliveries) {
                        forwarded.add(delivery.id());
                        delivery.settle(Outcome.delivered());
                    }
                },
                Duration.ofSeconds(30));

        forwarding.run();
        assertThat(redis.dead(SHARD)).containsOnlyKeys("order-1");
        forwarding.run();

        assertThat(forwarded).containsExactly("order-1", "order-2", "order-1");
        assertThat(redis.dead(SHARD)).isEmpty();
    }
}
