// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.ConflictPolicy;
import io.delayqueue.internal.store.GroupChange;
import io.delayqueue.internal.store.GroupPosition;
import io.delayqueue.internal.store.NewTask;
import io.delayqueue.internal.store.ShardGroupChange;
import io.delayqueue.internal.store.ShardingVersion;
import io.delayqueue.internal.store.StoreCalls;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A group of 100,000 tasks in one shard: no script that works on it may hold up the server's other clients. */
@Tag("long")
class LargeGroupIntegrationTests extends RedisStoreContract {

    private static final Logger log = LoggerFactory.getLogger(LargeGroupIntegrationTests.class);

    private static final int TASKS = 100_000;
    private static final int STEP = 500;
    /** The average processor time of one script; all of them do the same work. */
    private static final Duration MOST_WORK = Duration.ofMillis(30);
    /** The elapsed time of one script, on a machine with other processes. */
    private static final Duration LONGEST = Duration.ofMillis(500);

    LargeGroupIntegrationTests() {
        super(TestRedis.shared(RedisBinary.INSTALLED));
    }

    @BeforeEach
    void logEveryCall() {
        store = kept.tasks(Duration.ofSeconds(10), clockOffset::get);
        redis.node().configSet("slowlog-log-slower-than", "0");
        redis.node().configSet("slowlog-max-len", "4000");
    }

    @AfterEach
    void logNone() {
        redis.node().configSet("slowlog-log-slower-than", "-1");
        redis.node().slowlogReset();
        kept.clear();
    }

    /** In no order of their ids. */
    private void fill(long firstDue, long apart) {
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < TASKS; i++) {
            numbers.add(i);
        }
        Collections.shuffle(numbers, new Random(17));
        for (int from = 0; from < TASKS; from += STEP) {
            List<NewTask> batch = new ArrayList<>();
            for (int i = from; i < from + STEP; i++) {
                String id = "{tenant:7}~" + numbers.get(i);
                batch.add(task(id, i, at(firstDue + i * apart), ConflictPolicy.REPLACE, "p"));
            }
            get(StoreCalls.schedule(store, SHARD, batch));
        }
    }

    private void assertShortSteps(String what, int mostSteps, IntSupplier work) {
        redis.node().slowlogReset();
        double before = processorSeconds();
        int steps = work.getAsInt();
        Duration each = Duration.ofNanos((long) ((processorSeconds() - before) * 1e9 / steps));
        long longest = redis.node().slowlogGet(4_000).stream()
                .map(entry -> (List<?>) entry)
                .filter(entry -> String.valueOf(((List<?>) entry.get(3)).get(0))
                        .toUpperCase()
                        .startsWith("EVAL"))
                .mapToLong(entry -> (Long) entry.get(2))
                .max()
                .orElseThrow();
        log.info("{} {} tasks of a group: {} scripts of {}, the longest {} us", what, TASKS, steps, each, longest);
        assertThat(steps).as(what).isLessThanOrEqualTo(mostSteps);
        assertThat(each).as(what).isLessThan(MOST_WORK);
        assertThat(Duration.ofNanos(longest * 1_000)).as(what).isLessThan(LONGEST);
    }

    /** Returns the processor time of the server, user and system. */
    private double processorSeconds() {
        return redis.node()
                .info("cpu")
                .lines()
                .filter(line -> line.startsWith("used_cpu_user:") || line.startsWith("used_cpu_sys:"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(':') + 1)))
                .sum();
    }

    private int change(GroupChange.Verb verb) {
        GroupPosition position = new GroupPosition("{tenant:7}~", "", STEP);
        int steps = 0;
        long changed = 0;
        do {
            GroupChange change = verb == GroupChange.Verb.CANCEL
                    ? GroupChange.cancel()
                    : GroupChange.shift(Duration.ofHours(1), "shift-" + steps);
            ShardGroupChange done = get(StoreCalls.change(store, SHARD, ShardingVersion.NONE, position, change));
            changed += done.changed();
            position = position.at(done.next());
            steps++;
        } while (!position.from().isEmpty());
        assertThat(changed).isEqualTo(TASKS);
        return steps;
    }

    @Test
    void changeWhenTheGroupIsLargeTakesManyShortSteps() {
        fill(now + MINUTE, 1);
        int most = 2 * TASKS / STEP;

        assertShortSteps("count", 1, () -> {
            assertThat(get(store.groups().count(SHARD, ShardingVersion.NONE, "{tenant:7}~")))
                    .isEqualTo(TASKS);
            return 1;
        });
        assertShortSteps("shift", most, () -> change(GroupChange.Verb.SHIFT));
        assertShortSteps("cancel", most, () -> change(GroupChange.Verb.CANCEL));

        assertThat(state().tasks()).isEmpty();
        assertThat(state().groups()).isEmpty();
    }
}
