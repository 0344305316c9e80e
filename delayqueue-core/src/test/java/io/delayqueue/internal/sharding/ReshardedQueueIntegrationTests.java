// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.sharding;

import static io.delayqueue.TestRequests.requestTo;
import static org.awaitility.Awaitility.await;

import io.delayqueue.delivery.TaskDestination;
import io.delayqueue.internal.admin.TaskStoreAdmin;
import io.delayqueue.internal.client.ClientOptions;
import io.delayqueue.internal.client.DelayQueueTemplate;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.engine.CollectingDestination;
import io.delayqueue.internal.engine.Engine;
import io.delayqueue.internal.engine.EngineHooks;
import io.delayqueue.internal.engine.InterceptorChain;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.TaskBounds;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.WakeSignals;
import io.delayqueue.internal.trigger.TriggerContext;
import io.delayqueue.trigger.ScanTrigger;
import io.delayqueue.trigger.TestBeans;
import io.delayqueue.trigger.TriggerFixture;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A running trigger follows the number of shards that another process changes. */
class ReshardedQueueIntegrationTests {

    private static final String QUEUE = TriggerFixture.QUEUE;

    private final TriggerFixture fixture = new TriggerFixture();
    private final QueueCatalog queues = fixture.queues();
    private final Shardings shardings = new Shardings(fixture.redis.store().shardings(), queues, new Scheduler());
    private final Shardings others = new Shardings(fixture.redis.store().shardings(), queues, new Scheduler());
    private final Engine engine = new Engine(fixture.redis.store(), shardings, new Scheduler(), EngineHooks.NONE);
    private final CollectingDestination destination = CollectingDestination.acknowledging();
    private final ScanTrigger trigger = new ScanTrigger(QUEUE) {
        @Override
        protected TaskDestination createDestination() {
            return destination;
        }
    };
    private final DelayQueueTemplate template = new DelayQueueTemplate(
            fixture.redis.store(), queues, others, fixture.codecs(), TaskBounds.DEFAULT, ClientOptions.DEFAULT);
    private final TaskStoreAdmin admin =
            new TaskStoreAdmin(fixture.redis.store(), queues, others, new Resharding(fixture.redis.store(), others));

    @AfterEach
    void close() {
        trigger.destroy();
        engine.close();
        shardings.close();
        others.close();
        fixture.close();
    }

    private void schedule(String id, Duration delay) {
        template.schedule(requestTo(QUEUE, id, "x", delay));
    }

    @Test
    void triggerWhenTheQueueIsReshardedElsewhereScansTheNewShardsAndMovesTheTasks() {
        trigger.setBeanFactory(
                TestBeans.of(new TriggerContext(engine, queues, fixture.wakeSignals, InterceptorChain.EMPTY, false)));
        IntStream.range(0, 100).forEach(i -> schedule("old" + i, Duration.ofHours(1)));
        trigger.start();
        schedule("first", Duration.ZERO);
        await().until(() -> destination.ids().contains("first"));

        admin.reshard(QUEUE, 8);

        await().until(() -> !admin.sharding(QUEUE).isMigrating());
        await().until(() -> !shardings.of(QUEUE).isMigrating());
        for (int shard = 0; shard < 8; shard++) {
            int here = shard;
            org.assertj.core.api.Assertions.assertThat(
                            fixture.redis.index(new Shard(QUEUE, shard)).keySet())
                    .isNotEmpty()
                    .allMatch(id -> ShardRouter.shardOf(id, 8) == here);
        }
        List<String> ids = IntStream.range(0, 40).mapToObj(i -> "new" + i).toList();
        ids.forEach(id -> schedule(id, Duration.ofMillis(100)));
        await().until(() -> destination.ids().containsAll(ids));
    }

    @Test
    void triggerWhenTheQueueIsReshardedElsewhereAndNoSignalTellsItScansTheNewShardsAfterTheMaxIdleInterval() {
        fixture.maxIdleInterval = Duration.ofSeconds(1);
        trigger.setBeanFactory(TestBeans.of(
                new TriggerContext(engine, fixture.queues(), WakeSignals.NONE, InterceptorChain.EMPTY, false)));
        trigger.start();
        schedule("first", Duration.ZERO);
        await().until(() -> destination.ids().contains("first"));

        admin.reshard(QUEUE, 8);

        List<String> ids = IntStream.range(0, 40).mapToObj(i -> "new" + i).toList();
        ids.forEach(id -> schedule(id, Duration.ZERO));
        await().atMost(Duration.ofSeconds(10)).until(() -> destination.ids().containsAll(ids));
    }
}
