// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.client;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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
import io.delayqueue.internal.sharding.Sharding;
import io.delayqueue.internal.sharding.Shardings;
import io.delayqueue.internal.store.AcquireRequest;
import io.delayqueue.internal.store.AcquiredTask;
import io.delayqueue.internal.store.Acquisition;
import io.delayqueue.internal.store.Settlement;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.TaskStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/**
 * The later of two deliveries of an id has the higher token, even if the queue's number of shards changes in between.
 * The tokens of the shard that delivers first are far ahead of the clock.
 */
class FencingTokenIntegrationTests {

    private static final String QUEUE = "orders";
    private static final int SHARDS = 8;
    /** A token that the clock does not reach before the year 2096. */
    private static final String AHEAD = "400000000000000";
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
            new ShardMigrations(store, shardings, new Scheduler(), Duration.ofMillis(100));

    @AfterEach
    void close() {
        migrations.close();
        shardings.close();
        redis.close();
    }

    private void schedule(String id) {
        template.schedule(requestTo(QUEUE, id, "x", Duration.ZERO));
    }

    private static String idThatMoves(int from, int to) {
        return IntStream.range(0, 1000)
                .mapToObj(i -> "task-" + i)
                .filter(id -> Sharding.initial(from).homeOf(id)
                        != Sharding.initial(to).homeOf(id))
                .findFirst()
                .orElseThrow();
    }

    /** Takes the one task that is due, in whichever shard it is. */
    private Acquisition take() {
        List<Acquisition> taken = IntStream.range(0, SHARDS)
                .mapToObj(shard -> store.leases()
                        .acquire(
                                new Shard(QUEUE, shard), new AcquireRequest(10, Duration.ofMinutes(1), 10, 1 << 20, 10))
                        .join())
                .filter(acquisition -> !acquisition.tasks().isEmpty())
                .toList();
        assertThat(taken).hasSize(1);
        assertThat(taken.get(0).tasks()).hasSize(1);
        return taken.get(0);
    }

    private long deliver() {
        Acquisition taken = take();
        settle(taken, Settlement.ack(taken.tasks().get(0).id(), taken.token()));
        return taken.token();
    }

    private void settle(Acquisition taken, Settlement settlement) {
        assertThat(store.leases().settle(taken.shard(), List.of(settlement)).join())
                .containsExactly(true);
    }

    private void lead(int shard) {
        redis.put(new Shard(QUEUE, shard), "token", AHEAD);
    }

    private void awaitAllInPlace() {
        await().atMost(Duration.ofSeconds(20))
                .until(() -> !admin.sharding(QUEUE).isMigrating());
    }

    @Test
    void tokenWhenATaskMovesBetweenTwoAttemptsIsHigherAtTheSecond() {
        lead(0);
        String id = idThatMoves(1, SHARDS);
        schedule(id);
        Acquisition first = take();
        settle(first, Settlement.retry(id, first.token(), Duration.ZERO, true, false, "failed"));

        admin.reshard(QUEUE, SHARDS);
        migrations.watch(QUEUE);
        await().until(() -> redis.index(new Shard(QUEUE, 0)).isEmpty());

        assertThat(deliver()).isGreaterThan(first.token());
    }

    @Test
    void tokenWhenAnIdIsScheduledAgainWhileTasksMigrateIsHigher() {
        lead(0);
        String id = idThatMoves(1, SHARDS);
        schedule(id);
        long first = deliver();

        admin.reshard(QUEUE, SHARDS);
        schedule(id);

        assertThat(redis.index(new Shard(QUEUE, Sharding.initial(SHARDS).homeOf(id))))
                .containsKey(id);
        assertThat(deliver()).isGreaterThan(first);
    }

    @Test
    void tokenWhenAnIdIsScheduledAgainAfterAChangeWasTurnedBackIsHigher() {
        lead(0);
        String id = idThatMoves(1, SHARDS);
        schedule(id);
        long first = deliver();

        admin.reshard(QUEUE, SHARDS);
        schedule(id);
        long second = deliver();
        admin.reshard(QUEUE, 1);
        schedule(id);

        assertThat(second).isGreaterThan(first);
        assertThat(deliver()).isGreaterThan(second);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 8})
    void tokenWhenAnIdIsScheduledAgainAfterAChangeIsHigher(int shardsAfterwards) {
        int before = (shardsAfterwards == 1) ? SHARDS : 1;
        admin.reshard(QUEUE, before);
        migrations.watch(QUEUE);
        awaitAllInPlace();
        String id = idThatMoves(before, shardsAfterwards);
        lead(Sharding.initial(before).homeOf(id));
        schedule(id);
        long first = deliver();

        admin.reshard(QUEUE, shardsAfterwards);
        awaitAllInPlace();
        schedule(id);

        assertThat(deliver()).isGreaterThan(first);
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
                                new AcquireRequest(1 + random.nextInt(3), Duration.ofMinutes(1), 10, 1 << 20, 10))
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
