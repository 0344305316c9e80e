// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.delayqueue.Due;
import io.delayqueue.TaskState;
import io.delayqueue.internal.store.AcquiredTask;
import io.delayqueue.internal.store.Acquisition;
import io.delayqueue.internal.store.PageRequest;
import io.delayqueue.internal.store.Settlement;
import io.delayqueue.internal.store.StoreCalls;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The scripts with arbitrary records. The server reads the records, where no coverage guides the search, so it follows
 * the format: numbers of any size between colons.
 */
class StoredRecordsFuzzIntegrationTests extends RedisStoreContract {

    private static final Instant LAST_MOMENT = Instant.ofEpochMilli(Due.MAX_EPOCH_MILLIS);

    StoredRecordsFuzzIntegrationTests() {
        super(TestRedis.shared(RedisBinary.EMBEDDED_6_2));
    }

    @FuzzTest
    void shard(FuzzedDataProvider data) {
        startEmpty();
        String id = data.consumeBoolean() ? "t" : latin(data, 20);
        redis.raw().hset(key("tasks"), id, data.consumeBoolean() ? envelope('C', 1, "p") : latin(data, 30));
        redis.raw().zadd(key("index"), score(data), id);
        redis.raw().hset(key(data.consumeBoolean() ? "leases" : "holds"), id, record(data));
        redis.raw().hset(key("attempts"), id, record(data));
        schedule("good", 1, now - MINUTE);

        get(store.tasks().find(SHARD, id))
                .ifPresent(task -> assertThat(task.dueAt()).isBetween(Instant.EPOCH, LAST_MOMENT));
        get(store.shards().stats(SHARD));
        Acquisition first = acquire(10);
        assertThat(first.tasks()).extracting(AcquiredTask::id).contains("good");
        assertThat(first.tasks())
                .allMatch(task -> task.attempt() > 0
                        && !task.dueAt().isAfter(java.time.Instant.ofEpochMilli(io.delayqueue.Due.MAX_EPOCH_MILLIS)));
        for (AcquiredTask task : first.tasks()) {
            switch (data.consumeInt(0, 2)) {
                case 0 -> settle(Settlement.retry(task.id(), first.token(), Duration.ofMinutes(1), true, false, "r"));
                case 1 -> settle(Settlement.dead(task.id(), first.token(), false, "r"));
                default -> settle(Settlement.release(task.id(), first.token()));
            }
        }
        for (var dead : get(store.shards().page(SHARD, PageRequest.dead(10).withContent(1000)))
                .tasks()) {
            assertThat(dead.state()).isEqualTo(TaskState.DEAD);
            assertThat(get(StoreCalls.redrive(store, SHARD, StoreCalls.dueNow(List.of(dead.id()))))
                            .verdicts())
                    .hasSize(1);
        }
        assertThat(state().brokenInvariant()).isEmpty();
        assertThat(state().tasks()).containsKeys(id, "good");
    }

    private static String latin(FuzzedDataProvider data, int most) {
        return new String(data.consumeBytes(data.consumeInt(0, most)), StandardCharsets.ISO_8859_1);
    }

    private static double score(FuzzedDataProvider data) {
        double score = data.consumeDouble();
        return Double.isNaN(score) ? 0 : score;
    }

    private static String record(FuzzedDataProvider data) {
        StringBuilder record = new StringBuilder(data.consumeBoolean() ? "1" : latin(data, 3));
        for (int i = data.consumeInt(0, 5); i > 0; i--) {
            record.append(':');
            switch (data.consumeInt(0, 3)) {
                case 0 -> record.append(data.consumeLong());
                case 1 -> record.append(data.consumeInt(0, 1));
                case 2 -> record.append(String.valueOf(data.consumeInt(0, 9)).repeat(data.consumeInt(0, 400)));
                default -> record.append(latin(data, 10));
            }
        }
        return record.toString();
    }
}
