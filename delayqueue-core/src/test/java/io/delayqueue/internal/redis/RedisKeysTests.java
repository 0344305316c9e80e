// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.delayqueue.internal.redis.RedisKeys.QueueKey;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedisKeysTests {

    @Test
    void ofWhenGivenAShardNamesItsKeysUnderOneHashTag() {
        ShardKeys keys = new RedisKeys("dq").ofShard("orders", 7);

        assertThat(text(keys.of(ShardKey.INDEX))).isEqualTo("dq:{orders:7}:index");
        assertThat(text(keys.of(ShardKey.TASKS))).isEqualTo("dq:{orders:7}:tasks");
        assertThat(text(keys.of(ShardKey.LEASES))).isEqualTo("dq:{orders:7}:leases");
        assertThat(text(keys.of(ShardKey.ATTEMPTS))).isEqualTo("dq:{orders:7}:attempts");
        assertThat(text(keys.of(ShardKey.DEAD))).isEqualTo("dq:{orders:7}:dead");
        assertThat(text(keys.of(ShardKey.TOKEN))).isEqualTo("dq:{orders:7}:token");
        assertThat(text(keys.wakeChannel)).isEqualTo("dq:{orders}:wake");
        assertThat(text(keys.shardNumber)).isEqualTo("7");
        assertThat(new RedisKeys("dq").of(QueueKey.SHARDING, "orders")).isEqualTo("dq:{orders}:sharding");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a{b", "a}b", "a b", "a\n", "\u00e4"})
    void constructorWhenThePrefixWouldBreakAHashTagRefusesIt(String prefix) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RedisKeys(prefix))
                .withMessageContaining("delayqueue.key-prefix");
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
