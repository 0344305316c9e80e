// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.redis.start;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.internal.queue.QueueCatalog;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.event.Level;

class ServerFindingsTests {

    @ParameterizedTest
    @ValueSource(strings = {"6.0.16", "5.0.14", "2.8.4", "6.1.999"})
    void ofWhenVersionIsTooOldFindsThat(String version) {
        assertThat(of(List.of(Map.of("redis_version", version))))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.level()).isEqualTo(Level.ERROR);
                    assertThat(finding.text()).contains("version " + version, "6.2 or later", "delayqueue.redis.check");
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"allkeys-lru", "volatile-ttl", "allkeys-random"})
    void ofWhenOneOfSeveralServersEvictsFindsThat(String policy) {
        assertThat(of(List.of(Map.of("maxmemory_policy", "noeviction"), Map.of("maxmemory_policy", policy))))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.level()).isEqualTo(Level.ERROR);
                    assertThat(finding.text())
                            .contains("maxmemory-policy is '" + policy + "'", "Set maxmemory-policy to noeviction");
                });
    }

    private static List<Finding> of(List<Map<String, String>> servers) {
        return servers.stream()
                .flatMap(info -> ServerFindings.of(null, info, new QueueCatalog(List.of())).stream())
                .toList();
    }
}
