// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.delayqueue.TaskStoreException;
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
    private final Shardings shardings = Shardings.fixed(queue -> Sharding.initial(2));
    private final Engine engine = new Engine(redis.store(), shardings, new Scheduler(), EngineHooks.NONE);
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

        assertThat(forwarding.run()).as("order-2 was discarded").isEqualTo(1);
        assertThat(redis.dead(SHARD)).containsOnlyKeys("order-1");
        forwarding.run();

        assertThat(forwarded).containsExactly("order-1", "order-2", "order-1");
        assertThat(redis.dead(SHARD)).isEmpty();
    }

    /** They wait for a version that can read them. */
    @Test
    void runWhenTasksAreQuarantinedLeavesThem() {
        redis.makeDead(SHARD, List.of("order-1", "order-2"));
        redis.put(
                SHARD, "dead", "order-1", 1_000_000_000_000_000.0 + serverNow().toEpochMilli());

        assertThat(forwarding().run()).isEqualTo(1);

        assertThat(forwarded).containsExactly("order-2");
        assertThat(redis.dead(SHARD)).containsOnlyKeys("order-1");
    }

    @Test
    void runWhenAShardFailsForwardsTheTasksOfTheOthers() {
        redis.makeDead(new Shard("orders", 1), List.of("order-2"));
        redis.damage(SHARD, "dead");
        DeadForwarding forwarding = forwarding();

        assertThatExceptionOfType(TaskStoreException.class).isThrownBy(forwarding::run);

        assertThat(forwarded).containsExactly("order-2");
        assertThat(forwarding.forwarded()).isEqualTo(1);
        assertThat(forwarding.leftNothing()).isFalse();
        assertThat(redis.dead(new Shard("orders", 1))).isEmpty();
    }

    private DeadForwarding forwarding() {
        return engine.deadForwarding(
                QueueSettingsBuilder.withDefaults("orders"),
                deliveries -> {
                    for (OpenDelivery delivery : deliveries) {
                        forwarded.add(delivery.id());
                        delivery.settle(Outcome.delivered());
                    }
                },
                Duration.ofSeconds(30));
    }

    /** A migrating task may be in two shards, and cannot be discarded. */
    @Test
    void runWhenAReshardingBeginsForwardsNothingElseUntilItHasEnded() {
        Shard second = new Shard("orders", 1);
        redis.makeDead(SHARD, List.of("order-1"));
        redis.makeDead(second, List.of("order-2"));
        Sharding migrating = new Sharding(2, 3, 3, 2);
        DeadForwarding forwarding = engine.deadForwarding(
                QueueSettingsBuilder.withDefaults("orders"),
                deliveries -> {
                    shardings.adopt("orders", migrating);
                    for (OpenDelivery delivery : deliveries) {
                        forwarded.add(delivery.id());
                        delivery.settle(Outcome.delivered());
                    }
                },
                Duration.ofSeconds(30));

        assertThat(forwarding.run()).isEqualTo(1);
        assertThat(forwarding.run()).isZero();
        assertThat(forwarding.leftNothing()).isFalse();
        assertThat(redis.dead(second)).containsOnlyKeys("order-2");

        shardings.adopt("orders", new Sharding(3, 3, 3, 0));
        assertThat(forwarding.run()).isEqualTo(1);
        assertThat(forwarded).containsExactly("order-1", "order-2");
    }
}
