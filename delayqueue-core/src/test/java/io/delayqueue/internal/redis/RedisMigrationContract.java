// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.internal.store.MigrationPage;
import org.junit.jupiter.api.Test;

/** Tasks that migrate although a newer version wrote them. */
abstract class RedisMigrationContract extends MigrationContract {

    private final TestRedis redis;

    RedisMigrationContract(StoreServers servers) {
        super(servers.shared());
        this.redis = servers.shared();
    }

    private static String key(String name) {
        return ShardState.key(SHARD, name);
    }

    @Test
    void scanWhenANewerVersionWroteATaskSaysSo() {
        redis.raw().hset(key("tasks"), "newer", "\u0002whatever");

        MigrationPage page = get(store.migrations().scan(SHARD, LAYOUT, MigrationPage.START, 50));

        assertThat(page.tasks()).containsExactly(new MigrationPage.Entry("newer", true));
    }
}
