// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.ConflictPolicy;
import io.delayqueue.internal.store.GroupChange;
import io.delayqueue.internal.store.GroupPosition;
import io.delayqueue.internal.store.LayoutVersion;
import io.delayqueue.internal.store.NewTask;
import io.delayqueue.internal.store.ShardGroupChange;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Beside what every store does with groups: what they cost in Redis, and members that something else has written. */
abstract class RedisGroupContract extends GroupContract {

    /** Ids of 35 characters, of which 22 are as those that are made for tasks. */
    private static final int TASKS = 20_000;

    private static final int MOST_BYTES = 165;

    private final TestRedis redis;

    RedisGroupContract(StoreServers servers) {
        super(servers.shared());
        this.redis = servers.shared();
    }

    private long usedMemory() {
        return Long.parseLong(redis.node()
                .info("memory")
                .lines()
                .filter(line -> line.startsWith("used_memory:"))
                .findFirst()
                .orElseThrow()
                .substring("used_memory:".length())
                .trim());
    }

    private long memoryOf(List<String> ids) {
        kept.clear();
        for (int i = 0; i < 500; i++) {
            schedule("warm" + i, i, now + MINUTE);
        }
        long before = usedMemory();
        for (int from = 0; from < ids.size(); from += 500) {
            List<NewTask> batch = ids.subList(from, from + 500).stream()
                    .map(id -> task(id, 1, at(now + MINUTE), ConflictPolicy.REPLACE, "p"))
                    .toList();
            get(store.tasks().schedule(SHARD, batch));
        }
        return usedMemory() - before;
    }

    @Test
    void scheduleWhenTasksHaveAGroupTakesFewBytesMoreForEach() {
        List<String> grouped = ids('~');
        List<String> others = ids('-');

        // Beside the tasks Redis has what comes and goes, with Redis 8 up to 30 bytes for each of them.
        long leastGrouped = Long.MAX_VALUE;
        long leastOthers = Long.MAX_VALUE;
        long perTask = Long.MAX_VALUE;
        for (int round = 1; round <= 5 && perTask > MOST_BYTES; round++) {
            leastGrouped = Math.min(leastGrouped, memoryOf(grouped));
            leastOthers = Math.min(leastOthers, memoryOf(others));
            perTask = (leastGrouped - leastOthers) / TASKS;
        }

        assertThat(perTask).isBetween(80L, (long) MOST_BYTES);
        kept.clear();
    }

    /** An eviction policy such as volatile-lru takes keys that expire. */
    @Test
    void shiftWhenStepsAreRememberedHasNoKeyThatExpires() {
        schedule("{g}~a", 1, now + MINUTE);

        shift("s1");

        assertThat(redis.raw().keys("dq:*"))
                .allSatisfy(key -> assertThat(redis.raw().pttl(key)).as(key).isNegative());
    }

    @Test
    void shiftWhenStepsAreTooOldForgetsThem() {
        schedule("{g}~a", 1, now + MINUTE);
        for (int i = 0; i < 30; i++) {
            shift("old" + i);
        }
        moveClock(11 * MINUTE);

        shift("new");

        assertThat(redis.raw().hkeys(ShardState.key(SHARD, "shift"))).containsExactly("new");
    }

    private void shift(String step) {
        get(store.groups()
                .change(
                        SHARD,
                        LayoutVersion.NONE,
                        new GroupPosition("g", "", 10),
                        GroupChange.shift(Duration.ofMinutes(1), step)));
    }

    /** Groups of four tasks, in no order. */
    private static List<String> ids(char behindTheKey) {
        Random random = new Random(5);
        List<String> ids = new ArrayList<>(TASKS);
        for (int i = 0; i < TASKS; i++) {
            byte[] bytes = ByteBuffer.allocate(16)
                    .putLong(random.nextLong())
                    .putLong(random.nextLong())
                    .array();
            ids.add("{order:" + i / 4 + "}" + behindTheKey
                    + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
        }
        Collections.shuffle(ids, random);
        return ids;
    }

    @Test
    void changeWhenTheGroupNamesATaskThatIsNotThereTakesItOut() {
        redis.raw().zadd("dq:{orders:0}:groups", 0, "{g}~gone");
        schedule("{g}~here", 1, now + MINUTE);

        ShardGroupChange done = get(
                store.groups().change(SHARD, LayoutVersion.NONE, new GroupPosition("g", "", 20), GroupChange.cancel()));

        assertThat(done).isEqualTo(new ShardGroupChange("", 1, List.of()));
        assertThat(state().groups()).isEmpty();
    }
}
