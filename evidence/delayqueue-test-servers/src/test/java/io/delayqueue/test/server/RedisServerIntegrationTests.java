// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the features that these servers have in addition to those of the test kit. */
class RedisServerIntegrationTests {

    enum Origin {
        EMBEDDED(RedisServer::embedded, "6.2."),
        INSTALLED(RedisServer::installed, "");

        private final Supplier<RedisServerBuilder> builder;
        private final String version;

        Origin(Supplier<RedisServerBuilder> builder, String version) {
            this.builder = builder;
            this.version = version;
        }
    }

    @ParameterizedTest
    @EnumSource
    void leastUriIsAUserThatMayDoWhatTheLibraryDoesAndNothingElse(Origin origin) {
        try (RedisServer redis =
                origin.builder.get().config("appendfsync always").start()) {
            assertThat(redis.version()).startsWith(origin.version);
            redis.restart();
            RedisURI uri = RedisURI.create(redis.leastUri());
            try (RedisClient client = RedisClient.create(uri);
                    StatefulRedisConnection<String, String> connection = client.connect()) {
                assertThat(connection.sync().set("dq:{orders}:sharding", "1:1:1:1:0"))
                        .isEqualTo("OK");
                assertThatThrownBy(() -> connection.sync().set("key", "value")).hasMessageContaining("NOPERM");
                assertThatThrownBy(() -> connection.sync().flushall()).hasMessageContaining("NOPERM");
            }
        }
    }

    @Test
    void uriWhenLeastRightsAreAskedForIsThatUser() {
        try (RedisServer redis = RedisServer.embedded().build()) {
            assertThat(redis.uri()).isEqualTo(redis.adminUri());
            System.setProperty("delayqueue.test.least-rights", "true");
            assertThat(redis.uri()).isEqualTo(redis.leastUri()).isNotEqualTo(redis.adminUri());
        } finally {
            System.clearProperty("delayqueue.test.least-rights");
        }
    }

    @Test
    void startGivesTheServerItsEnvironment() {
        DateTimeFormatter hour = DateTimeFormatter.ofPattern("dd MMM yyyy HH:", Locale.ROOT);
        String before = hour.format(OffsetDateTime.now(ZoneOffset.ofHours(14)));

        try (RedisServer redis =
                RedisServer.embedded().environment("TZ", "far-14").start()) {
            String after = hour.format(OffsetDateTime.now(ZoneOffset.ofHours(14)));
            assertThat(redis.folder().logTail())
                    .satisfiesAnyOf(
                            log -> assertThat(log).contains(before),
                            log -> assertThat(log).contains(after));
        }
    }
}
