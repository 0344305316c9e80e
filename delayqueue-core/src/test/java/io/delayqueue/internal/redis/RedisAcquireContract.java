// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

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

    @Test
    void tokenWhenTheCounterIsLostGoesOnAboveThoseGivenBefore() {
        schedule("a", 1, now - MINUTE);
        long before = lease("a");
        release("a", before);

        redis.raw().del(key("token"));

        assertThat(lease("a")).isGreaterThan(before);
    }
}
