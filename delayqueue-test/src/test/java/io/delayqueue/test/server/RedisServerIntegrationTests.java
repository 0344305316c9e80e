// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

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
    void startGivesAServerThatAnswersOnLoopback(Origin origin) {
        try (RedisServer redis = origin.builder.get().start()) {
            assertThat(redis.isRunning()).isTrue();
            assertThat(redis.host()).isEqualTo("127.0.0.1");
            assertThat(redis.version()).startsWith(origin.version);
            assertThat(redis.description()).contains(redis.version(), "" + redis.port());
            assertThat(call(redis, connection -> connection.sync().set("key", "value")))
                    .isEqualTo("OK");
        }
    }

    @ParameterizedTest
    @EnumSource
    void startAfterKillComesBackOnItsPortWithItsData(Origin origin) {
        try (RedisServer redis =
                origin.builder.get().config("appendfsync always").start()) {
            int port = redis.port();
            long pid = redis.pid();
            call(redis, connection -> connection.sync().set("key", "value"));

            redis.kill();

            assertThat(redis.isRunning()).isFalse();
            assertThat(isAlive(pid)).isFalse();
            redis.start();
            assertThat(redis.port()).isEqualTo(port);
            assertThat(redis.pid()).isNotEqualTo(pid);
            assertThat(call(redis, connection -> connection.sync().get("key"))).isEqualTo("value");
        }
    }

    @Test
    void restartKeepsTheData() {
        try (RedisServer redis = RedisServer.embedded().start()) {
            call(redis, connection -> connection.sync().set("key", "value"));

            redis.restart();

            assertThat(call(redis, connection -> connection.sync().get("key"))).isEqualTo("value");
        }
    }

    @Test
    void suspendFreezesTheServerUntilResume() {
        try (RedisServer redis = RedisServer.embedded().start()) {
            String answer = call(redis, connection -> {
                redis.suspend();
                assertThat(redis.isRunning()).isTrue();
                assertThatExceptionOfType(RedisCommandTimeoutException.class)
                        .isThrownBy(() -> connection.sync().ping());
                redis.resume();
                return connection.sync().ping();
            });

            assertThat(answer).isEqualTo("PONG");
        }
    }

    @Test
    void stopEndsASuspendedServer() {
        try (RedisServer redis = RedisServer.embedded().start()) {
            long pid = redis.pid();
            redis.suspend();

            redis.stop();

            assertThat(isAlive(pid)).isFalse();
        }
    }

    @Test
    void closeLeavesNoProcessAndNoFolder() {
        RedisServer redis = RedisServer.embedded().start();
        long pid = redis.pid();
        Path folder = ((LocalServer) redis).folder().path();
        assertThat(folder).isDirectory();

        redis.close();

        assertThat(isAlive(pid)).isFalse();
        assertThat(folder).doesNotExist();
        assertThatIllegalStateException().isThrownBy(redis::start).withMessageContaining("closed");
        assertThatIllegalStateException().isThrownBy(redis::pid).withMessageContaining("not running");
    }

    @Test
    void startWhenConfigurationIsWrongTellsWhatTheLogSays() {
        assertThatExceptionOfType(TestServerException.class)
                .isThrownBy(() ->
                        RedisServer.embedded().config("no-such-directive yes").start())
                .withMessageContaining("did not come up")
                .withMessageContaining("no-such-directive");
    }

    @ParameterizedTest
    @EnumSource
    void leastUriIsAUserThatMayDoWhatTheLibraryDoesAndNothingElse(Origin origin) {
        try (RedisServer redis =
                origin.builder.get().config("appendfsync always").start()) {
            redis.restart();
            RedisURI uri = RedisURI.create(redis.leastUri());
            try (RedisClient client = RedisClient.create(uri);
                    StatefulRedisConnection<String, String> connection = client.connect()) {
                assertThat(connection.sync().set("dq:{orders}:layout", "1:1:1:1:0"))
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
    void startWhenThePasswordIsConfiguredCountsAsUp() {
        try (RedisServer redis =
                RedisServer.embedded().config("requirepass secret").start()) {
            assertThat(redis.isRunning()).isTrue();
        }
    }

    @Test
    void startGivesTheServerItsEnvironment() {
        DateTimeFormatter hour = DateTimeFormatter.ofPattern("dd MMM yyyy HH:", Locale.ROOT);
        String before = hour.format(OffsetDateTime.now(ZoneOffset.ofHours(14)));

        try (RedisServer redis =
                RedisServer.embedded().environment("TZ", "far-14").start()) {
            String after = hour.format(OffsetDateTime.now(ZoneOffset.ofHours(14)));
            assertThat(((LocalServer) redis).folder().logTail())
                    .satisfiesAnyOf(
                            log -> assertThat(log).contains(before),
                            log -> assertThat(log).contains(after));
        }
    }

    @Test
    void endOfTheJvmWithoutCloseEndsTheServerToo() throws IOException {
        Process jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        Forgetful.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader output =
                new BufferedReader(new InputStreamReader(jvm.getInputStream(), StandardCharsets.UTF_8))) {
            long pid = Long.parseLong(output.readLine());
            Path folder = Path.of(output.readLine());
            assertThat(isAlive(pid)).isTrue();

            jvm.destroyForcibly();

            await().until(() -> !isAlive(pid) && !Files.exists(folder));
        } finally {
            jvm.destroyForcibly();
        }
    }

    /** Starts a server, tells about it and never closes it. */
    static final class Forgetful {

        public static void main(String[] args) throws IOException {
            RedisServer redis = RedisServer.embedded().start();
            System.out.println(redis.pid());
            System.out.println(((LocalServer) redis).folder().path());
            if (System.in.read() < 0 || redis.isRunning()) {
                System.exit(1);
            }
        }
    }

    static boolean isAlive(long pid) {
        return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
    }

    private static String call(RedisServer redis, Function<StatefulRedisConnection<String, String>, String> action) {
        RedisURI uri = RedisURI.create(redis.uri());
        uri.setTimeout(Duration.ofSeconds(1));
        try (RedisClient client = RedisClient.create(uri);
                StatefulRedisConnection<String, String> connection = client.connect()) {
            return action.apply(connection);
        }
    }
}
