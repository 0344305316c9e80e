// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.ScheduleRequest;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.queue.LimitSettings;
import io.delayqueue.internal.queue.QueueSettings;
import io.delayqueue.internal.queue.QueueSettingsBuilder;
import io.delayqueue.internal.queue.Rate;
import io.delayqueue.internal.sharding.Sharding;
import io.delayqueue.internal.sharding.Shardings;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.trigger.TriggerFixture;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Acquires of a process whose limits are higher than those of another process. */
class LowestLimitsIntegrationTests {

    private static final Shard SHARD = new Shard(TriggerFixture.QUEUE, 0);

    private final TriggerFixture fixture = new TriggerFixture();
    private final Scheduler scheduler = new Scheduler();
    private final EngineParts engine = new EngineParts(
            fixture.redis.store(), Shardings.fixed(queue -> Sharding.initial(1)), scheduler, EngineHooks.NONE);
    private final QueueSettings queue = QueueSettingsBuilder.of(TriggerFixture.QUEUE)
            .limits(new LimitSettings(null, null, Rate.parse("100/s burst 50"), null))
            .build();
    private final Acquirer acquirer = new Acquirer(
            new QueueDelivery(queue, CollectingDestination.acknowledging(), InterceptorChain.EMPTY), engine);

    @AfterEach
    void close() {
        engine.threads().close();
        scheduler.close();
        fixture.close();
    }

    private void scheduleTen(String key) {
        for (int i = 0; i < 10; i++) {
            fixture.template()
                    .schedule(ScheduleRequest.to(TriggerFixture.QUEUE)
                            .key(key)
                            .payload("x")
                            .dueIn(Duration.ZERO)
                            .build());
        }
    }

    private int acquired() {
        acquirer.firstServer(SHARD);
        return acquiredFromIt();
    }

    private int acquiredFromIt() {
        CompletableFuture<Integer> acquired = new CompletableFuture<>();
        acquirer.acquire(SHARD, 100, true, () -> {}, () -> {}, () -> {}, (brought, error) -> {
            if (brought == null) {
                acquired.completeExceptionally(error);
            } else {
                acquired.complete(brought.deliveries().size());
            }
        });
        return acquired.join();
    }

    @Test
    void acquireWhenAnotherProcessHasALowerRatePerKeyAppliesItWhileThatProcessLives() {
        engine.limits().note(queue, List.of(new LimitSettings(null, null, Rate.parse("1/h"), null)));
        scheduleTen("a");
        assertThat(acquired()).isEqualTo(1);

        engine.limits().note(queue, List.of(queue.limits()));
        scheduleTen("b");
        assertThat(acquired()).as("after one round").isEqualTo(1);
        engine.limits().note(queue, List.of(queue.limits()));
        scheduleTen("c");
        assertThat(acquired()).as("after two rounds").isEqualTo(10);
    }

    /** Otherwise an acquire could ask a server that no one watches, or wait for one that it does not ask. */
    @Test
    void acquireWhenLimitsChangeAfterItsFirstServerIsKnownAppliesTheEarlierOnes() {
        scheduleTen("a");
        acquirer.firstServer(SHARD);
        engine.limits().note(queue, List.of(new LimitSettings(Rate.parse("1/h"), null, null, null)));
        assertThat(acquiredFromIt()).isEqualTo(10);

        scheduleTen("b");
        assertThat(acquired()).isEqualTo(1);
    }

    @Test
    void acquireWhenAnotherProcessLimitsTheWholeQueueAppliesThatWhileThatProcessLives() {
        engine.limits().note(queue, List.of(new LimitSettings(Rate.parse("1/h"), null, null, null)));
        scheduleTen("a");
        assertThat(acquired()).isEqualTo(1);
        assertThat(acquired()).isZero();

        engine.limits().note(queue, List.of());
        assertThat(acquired()).isZero();
        engine.limits().note(queue, List.of());
        assertThat(acquired()).isEqualTo(9);
    }
}
