// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

/** What those contracts share that are about Redis itself: its keys, its outages, its limits. */
abstract class RedisStoreContract extends StoreContract {

    final TestRedis redis;

    RedisStoreContract(StoreServers servers) {
        this(servers.shared());
    }

    RedisStoreContract(TestRedis redis) {
        super(redis);
        this.redis = redis;
    }

    String key(String name) {
        return ShardState.key(SHARD, name);
    }
}
