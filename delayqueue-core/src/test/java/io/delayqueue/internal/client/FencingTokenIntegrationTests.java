// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.client;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.admin.QueueSharding;
import io.delayqueue.codec.JacksonPayloadCodec;
import io.delayqueue.internal.admin.RedriveProcess;
import io.delayqueue.internal.admin.TaskStoreAdmin;
import io.delayqueue.internal.codec.PayloadCodecs;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.TaskBounds;
import io.delayqueue.internal.redis.StoreFixture;
import io.delayqueue.internal.sharding.Resharding;
import io.delayqueue.internal.sharding.ShardMigrations;
import io.delayqueue.internal.sharding.Shardings;
import io.delayqueue.internal.store.AcquiredTask;
import io.delayqueue.internal.store.Acquires;
import io.delayqueue.internal.store.Acquisition;
import io.delayqueue.internal.store.Settlement;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.TaskStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/**
 * The later of two deliveries of an id has the higher token, even if the queue's number of shards changes in between.
 */
class FencingTokenIntegrationTests {

    private static final String QUEUE = "orders";
    private static final int SHARDS = 8;
    /** In the unit of tokens. */
    private static final long DAY = 8_640_000_000L;

    private final StoreFixture redis = new StoreFixture();
    private final TaskStore store = redis.store();
    private final QueueCatalog queues = RedriveProcess.queues(QUEUE, 1);
    private final Shardings shardings = new Shardings(store.shardings(), queues, new Scheduler());
    private final DelayQueueTemplate template = new DelayQueueTemplate(
            store,
            queues,
            shardings,
            new PayloadCodecs(List.of(new JacksonPayloadCodec(new JsonMapper()))),
            TaskBounds.DEFAULT,
            ClientOptions.DEFAULT);
    private final TaskStoreAdmin admin = new TaskStoreAdmin(store, queues, shardings, new Resharding(store, shardings));
    private final ShardMigrations migrations =
            new ShardMigrations(store, shardings, new Scheduler().worker(), Duration.ofMillis(100));

    @AfterEach
    void close() {
        migrations.close();
        shardings.close();
        redis.close();
    }

    private void schedule(String id) {
        template.schedule(requestTo(QUEUE, id, "x", Duration.ZERO));
    }

    private void settle(Acquisition taken, Settlement settlement) {
        assertThat(store.leases().settle(taken.shard(), List.of(settlement)).join())
                .containsExactly(true);
    }

    /**
     * Tasks migrate, fail, are delivered and are scheduled again, and the tokens of each shard are ahead of the clock
     * by a different time.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void tokenWhenAllHappensAtRandomGrowsForEachId(long seed) {
        Random random = new Random(seed);
        Map<String, Long> last = new HashMap<>();
        migrations.watch(QUEUE);
        int again = 0;
        for (int step = 0; step < 150; step++) {
            if (step % 10 == 0) {
                int ahead = random.nextInt(SHARDS);
                long clock = redis.serverMillis() * 100;
                redis.put(new Shard(QUEUE, ahead), "token", Long.toString(clock + step * DAY + ahead));
                QueueSharding sharding = admin.sharding(QUEUE);
                admin.reshard(QUEUE, sharding.migratingFrom().orElse(1 + random.nextInt(SHARDS)));
            }
            schedule("task-" + random.nextInt(10));
            for (int shard = 0; shard < SHARDS; shard++) {
                Acquisition taken = store.leases()
                        .acquire(
                                new Shard(QUEUE, shard),
                                Acquires.of(1 + random.nextInt(3), Duration.ofMinutes(1), 10, 1 << 20, 10))
                        .join();
                for (AcquiredTask task : taken.tasks()) {
                    Long before = last.put(task.id(), taken.token());
                    assertThat(taken.token()).as(task.id()).isGreaterThan(before == null ? 0 : before);
                    again += (before == null) ? 0 : 1;
                    settle(
                            taken,
                            random.nextInt(3) > 0
                                    ? Settlement.ack(task.id(), taken.token())
                                    : Settlement.retry(task.id(), taken.token(), Duration.ZERO, true, false, "failed"));
                }
            }
        }
        assertThat(again).isGreaterThan(50);
    }
}
