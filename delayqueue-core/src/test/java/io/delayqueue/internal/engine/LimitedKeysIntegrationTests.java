// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.TaskIds;
import io.delayqueue.internal.redis.StoreFixture;
import io.delayqueue.internal.sharding.Sharding;
import io.delayqueue.internal.store.KeyLimitsChange;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.ShardStore;
import io.delayqueue.internal.store.ShardingVersion;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LimitedKeysIntegrationTests {

    private static final String PREFIX = TaskIds.keyPrefix("partner");

    @Test
    void closeWhenTasksMigrateClosesTheKeyInItsEarlierAndInItsNewShard() {
        Sharding migrating = Sharding.parse("orders", "1:8:3:1:1");
        Shard source = new Shard("orders", 0);
        Shard target = new Shard("orders", migrating.homeOf(PREFIX));
        assertThat(target).isNotEqualTo(source);
        try (StoreFixture redis = new StoreFixture()) {
            ShardStore shards = redis.store().shards();

            new LimitedKeys()
                    .close(shards, migrating, source, TaskIds.of("partner", null, "a"), Duration.ofMinutes(1))
                    .join();

            for (Shard shard : new Shard[] {source, target}) {
                assertThat(shards.keyLimits(shard, ShardingVersion.NONE, PREFIX, KeyLimitsChange.READ)
                                .join()
                                .closedUntil())
                        .isPresent();
            }
        }
    }
}
