// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
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
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class EmbeddedRedisIntegrationTests {

    @Test
    void startGivesAServerThatAnswersOnLoopback() {
        try (EmbeddedRedis redis = started()) {
            assertThat(redis.isRunning()).isTrue();
            assertThat(redis.host()).isEqualTo("127.0.0.1");
            assertThat(redis.version()).startsWith("6.2.");
            assertThat(redis.toString()).contains(redis.version(), "" + redis.port());
            assertThat(call(redis, connection -> connection.sync().set("key", "value")))
                    .isEqualTo("OK");
        }
    }

    @Test
    void startAfterKillComesBackOnItsPortWithItsData() {
        try (EmbeddedRedis redis = started("appendfsync always")) {
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
    void suspendFreezesTheServerUntilResume() {
        try (EmbeddedRedis redis = started()) {
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
        try (EmbeddedRedis redis = started()) {
            long pid = redis.pid();
            redis.suspend();

            redis.stop();

            assertThat(isAlive(pid)).isFalse();
        }
    }

    @Test
    void closeLeavesNoProcessAndNoFolder() {
        EmbeddedRedis redis = started();
        long pid = redis.pid();
        Path folder = redis.folder().path();
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
                .isThrownBy(() -> started("no-such-directive yes"))
                .withMessageContaining("did not start")
                .withMessageContaining("no-such-directive");
    }

    @Test
    void startWhenThePasswordIsConfiguredCountsAsUp() {
        try (EmbeddedRedis redis = started("requirepass secret")) {
            assertThat(redis.isRunning()).isTrue();
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
            EmbeddedRedis redis = started();
            System.out.println(redis.pid());
            System.out.println(redis.folder().path());
            if (System.in.read() < 0 || redis.isRunning()) {
                System.exit(1);
            }
        }
    }

    private static EmbeddedRedis started(String... config) {
        EmbeddedRedis redis = new EmbeddedRedis(config);
        redis.start();
        return redis;
    }

    private static boolean isAlive(long pid) {
        return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
    }

    private static String call(EmbeddedRedis redis, Function<StatefulRedisConnection<String, String>, String> action) {
        RedisURI uri = RedisURI.create(redis.uri());
        uri.setTimeout(Duration.ofSeconds(1));
        try (RedisClient client = RedisClient.create(uri);
                StatefulRedisConnection<String, String> connection = client.connect()) {
            return action.apply(connection);
        }
    }
}
