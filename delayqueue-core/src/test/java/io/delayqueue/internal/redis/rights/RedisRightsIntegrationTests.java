// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis.rights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.delayqueue.ConflictPolicy;
import io.delayqueue.Due;
import io.delayqueue.TaskStoreException;
import io.delayqueue.internal.redis.RedisBinary;
import io.delayqueue.internal.redis.RedisConnections;
import io.delayqueue.internal.redis.RedisErrors;
import io.delayqueue.internal.redis.RedisKeys;
import io.delayqueue.internal.redis.SingleRedis;
import io.delayqueue.internal.redis.StoreContract;
import io.delayqueue.internal.redis.TestRedis;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.StoreCalls;
import io.delayqueue.internal.store.TaskStore;
import io.delayqueue.internal.store.TestStores;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Calls that the user with minimum rights may not make. Every other test shows that its rights suffice. */
class RedisRightsIntegrationTests {

    private static final String KEY = "dq:{orders:0}:index";

    /** As the jar is run by those who give a user its rights: without the libraries that it needs otherwise. */
    @Test
    void mainWhenNothingElseIsOnTheClassPathPrintsTheRights() throws Exception {
        Path classes = Path.of(RedisRights.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        Process jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        classes.toString(),
                        RedisRights.class.getName(),
                        "shop",
                        "cluster")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            assertThat(new String(jvm.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .isEqualToIgnoringNewLines("ACL SETUSER delayqueue reset on >PASSWORD "
                            + String.join(
                                    " ", RedisRights.of("shop").inCluster().rules()));
            assertThat(jvm.waitFor()).isZero();
        } finally {
            jvm.destroyForcibly();
        }
    }

    @ParameterizedTest
    @MethodSource("io.delayqueue.internal.redis.RedisBinary#different")
    void userWithTheRightsMayDoNothingElse(RedisBinary binary) {
        try (SingleRedis redis = new SingleRedis(binary)) {
            make(redis, "shop", RedisRights.of("dq"));
            RedisURI uri = RedisURI.builder()
                    .withHost("127.0.0.1")
                    .withPort(redis.server().port())
                    .withAuthentication("shop", "secret")
                    .build();
            try (RedisClient client = RedisClient.create(uri)) {
                RedisCommands<String, String> user = client.connect().sync();

                assertThatCode(() -> user.zcard(KEY)).doesNotThrowAnyException();
                assertThatCode(() -> user.publish("dq:{orders}:wake", "0")).doesNotThrowAnyException();
                refused(user::flushall);
                refused(user::flushdb);
                refused(() -> user.keys("*"));
                refused(() -> user.configSet("maxmemory", "1"));
                refused(() -> user.configGet("*"));
                refused(user::aclList);
                refused(() -> user.replicaof("127.0.0.1", 1));
                refused(() -> user.clientList());
                refused(() -> user.scan());
                refused(() -> user.get("other"));
                refused(() -> user.get("dq:other"));
                refused(() -> user.get("dq2:{orders}:sharding"));
                refused(() -> user.set("dqx:{orders:0}:index", "1"));
                refused(() -> user.publish("news", "0"));
                refused(() -> user.publish("dq:{orders}:other", "0"));
                refused(() -> user.eval("return redis.call('FLUSHALL')", ScriptOutputType.STATUS));
                refused(() -> user.eval("return redis.call('GET', 'other')", ScriptOutputType.VALUE));
                refused(() -> user.eval("return redis.call('PUBLISH', 'news', '0')", ScriptOutputType.INTEGER));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("io.delayqueue.internal.redis.RedisBinary#different")
    void callWhenTheUserLacksARightNamesItAndTheDocumentation(RedisBinary binary) {
        try (SingleRedis redis = new SingleRedis(binary)) {
            make(redis, "shop", RedisRights.of("dq"));
            redis.raw().aclSetuser("shop", AclSetuserArgs.Builder.removeCommand(CommandType.HSET));
            make(redis, "other", RedisRights.of("other"));

            for (String user : List.of("shop", "other")) {
                RedisConnections connections = redis.connections(user, "secret", TestRedis.TIMEOUT);
                TaskStore store = TestStores.of(connections, new RedisKeys("dq"), TestRedis.TIMEOUT);
                assertThatExceptionOfType(TaskStoreException.class)
                        .isThrownBy(() -> StoreContract.get(StoreCalls.schedule(
                                store,
                                new Shard("orders", 0),
                                List.of(StoreContract.task("a", 1, new Due(false, 0), ConflictPolicy.REPLACE, "{}")))))
                        .withMessageContaining("Redis user")
                        .withMessageContaining("docs/security.md");
            }
        }
    }

    private static void make(SingleRedis redis, String name, RedisRights rights) {
        CommandArgs<String, String> args = new CommandArgs<>(StringCodec.UTF8).add("SETUSER");
        List<String> words = List.of(rights.user(name, "secret").split(" "));
        words.subList(1, words.size()).forEach(args::add);
        redis.raw().dispatch(CommandType.ACL, new StatusOutput<>(StringCodec.UTF8), args);
    }

    private static void refused(ThrowingCallable call) {
        Throwable error = catchThrowable(call);
        assertThat(error).isNotNull().matches(RedisErrors::isForbidden);
    }
}
