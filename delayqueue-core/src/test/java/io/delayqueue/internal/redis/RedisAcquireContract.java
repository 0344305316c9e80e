// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.ConflictPolicy;
import io.delayqueue.internal.store.AcquireRequest;
import io.delayqueue.internal.store.AcquiredTask;
import io.delayqueue.internal.store.Acquisition;
import io.delayqueue.internal.store.NewTask;
import io.delayqueue.internal.store.TooLate;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Acquiring, and what it leaves in the keys. */
abstract class RedisAcquireContract extends AcquireContract {

    private final TestRedis redis;

    RedisAcquireContract(StoreServers servers) {
        super(servers.shared());
        this.redis = servers.shared();
    }

    private static String key(String name) {
        return ShardState.key(SHARD, name);
    }

    @Test
    void acquireWhenManyAreTakenKeepsTheirLeasesWhereEachIsFoundAtOnce() {
        for (int i = 0; i < 100; i++) {
            schedule("t" + i, 1, now - MINUTE);
        }

        assertThat(acquire(16).tasks()).hasSize(16);
        assertThat(redis.raw().objectEncoding(key("leases"))).isNotEqualTo("hashtable");
        assertThat(acquire(1).tasks()).hasSize(1);
        assertThat(redis.raw().objectEncoding(key("leases"))).isEqualTo("hashtable");
        assertThat(redis.raw().hlen(key("leases"))).isEqualTo(17);

        redis.raw().del(key("leases"));
        assertThat(acquire(50).tasks()).hasSize(50);
        assertThat(redis.raw().objectEncoding(key("leases"))).isEqualTo("hashtable");
        assertThat(redis.raw().hlen(key("leases"))).isEqualTo(50);
    }

    /** Of which the first by their ids wait for later, and the last five have misfired. */
    private Acquisition acquireFromAGroup(int waiting) {
        for (int i = 0; i < waiting; i += 500) {
            List<NewTask> tasks = IntStream.range(i, Math.min(i + 500, waiting))
                    .mapToObj(k -> task("{a}~" + k, k, at(now + MINUTE), ConflictPolicy.REPLACE, "p"))
                    .toList();
            get(store.tasks().schedule(SHARD, tasks));
        }
        for (int i = 0; i < 5; i++) {
            schedule("{a}~x" + i, i, now - (10 - i) * MINUTE);
        }
        AcquireRequest request = new AcquireRequest(100, LEASE, MAX_EXPIRED, 1 << 20, 500);
        TooLate late = new TooLate(null, true, Duration.ofMinutes(1), true);
        return get(store.leases().acquire(SHARD, request.without(late)));
    }

    @Test
    void acquireWhenAThousandOfAGroupHaveNotMisfiredTakesTheLatestOfTheOthersAlone() {
        Acquisition acquisition = acquireFromAGroup(1_000);

        assertThat(acquisition.tasks()).extracting(AcquiredTask::id).containsExactly("{a}~x4");
        assertThat(acquisition.dead()).hasSize(4);
    }

    @Test
    void acquireWhenThousandsOfAGroupHaveNotMisfiredRatherTakesTooManyThanNone() {
        Acquisition acquisition = acquireFromAGroup(2_500);

        assertThat(acquisition.tasks())
                .extracting(AcquiredTask::id)
                .containsExactly("{a}~x0", "{a}~x1", "{a}~x2", "{a}~x3", "{a}~x4");
        assertThat(acquisition.dead()).isEmpty();
    }

    @Test
    void tokenWhenTheCounterIsLostGoesOnAboveThoseGivenBefore() {
        schedule("a", 1, now - MINUTE);
        long before = lease("a");
        release("a", before);

        redis.raw().del(key("token"));

        assertThat(lease("a")).isGreaterThan(before);
    }
}
