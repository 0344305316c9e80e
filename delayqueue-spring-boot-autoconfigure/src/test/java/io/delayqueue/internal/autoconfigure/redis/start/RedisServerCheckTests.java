// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.redis.start;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayqueue.autoconfigure.DelayQueueProperties.Check;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedisServerCheckTests {

    private final Properties info = new Properties();

    @ParameterizedTest
    @ValueSource(strings = {"6.2.0", "6.2.14", "7.0.15", "7.4", "8.0.0", "10.1.2", "unstable", "255.255.255"})
    void checkWhenVersionIsNewEnoughPasses(String version) {
        info("redis_version", version);
        assertThatCode(() -> check(Check.FAIL)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"6.0.16", "5.0.14", "2.8.4", "6.1.999"})
    void checkWhenVersionIsTooOldRefuses(String version) {
        info("redis_version", version);
        assertThatThrownBy(() -> check(Check.FAIL))
                .hasMessageContaining("version " + version)
                .hasMessageContaining("6.2 or newer")
                .hasMessageContaining("spring.data.redis")
                .hasMessageContaining("delayqueue.redis.check");
    }

    @ParameterizedTest
    @ValueSource(strings = {"allkeys-lru", "volatile-ttl", "allkeys-random"})
    void checkWhenServerEvictsRefuses(String policy) {
        info("maxmemory_policy", policy);
        assertThatThrownBy(() -> check(Check.FAIL))
                .hasMessageContaining("maxmemory-policy is '" + policy + "'")
                .hasMessageContaining("Set maxmemory-policy to noeviction");
    }

    @Test
    void checkWhenOneNodeOfAClusterEvictsRefuses() {
        info.setProperty("10.0.0.1:6379.maxmemory_policy", "noeviction");
        info.setProperty("10.0.0.2:6379.maxmemory_policy", "allkeys-lfu");
        assertThatThrownBy(() -> check(Check.FAIL)).hasMessageContaining("'allkeys-lfu'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"WARN", "OFF"})
    void checkWhenToleratedPasses(Check mode) {
        info("maxmemory_policy", "allkeys-lru");
        assertThatCode(() -> check(mode)).doesNotThrowAnyException();
    }

    private void info(String field, String value) {
        info.setProperty(field, value);
    }

    private void check(Check mode) {
        new RedisServerCheck(mode).check(new RedisInfo(info));
    }
}
