// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.redis.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.delayqueue.TaskStoreUnavailableException;
import io.delayqueue.internal.redis.RedisBinary;
import io.delayqueue.internal.redis.RedisConnections;
import io.delayqueue.internal.redis.RedisKeys;
import io.delayqueue.internal.redis.SingleRedis;
import io.delayqueue.internal.redis.TestRedis;
import io.delayqueue.internal.redis.rights.RedisRights;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Servers and users that lack one thing each. They word their refusals differently; what is named is the same. */
class RedisProbeIntegrationTests {

    /** Commands that are not checked here, because the driver, the subscription or the server check reports them. */
    private static final Set<String> ASKED_ELSEWHERE = Set.of("info", "subscribe", "unsubscribe");

    private static final String CHANNELS = "PUBLISH on the channels dq:{*}:wake";

    @ParameterizedTest
    @MethodSource("io.delayqueue.internal.redis.RedisBinary#different")
    void askWhenTheUserHasTheRightsFindsNothingMissingAndLeavesNothing(RedisBinary binary) {
        try (SingleRedis redis = new SingleRedis(binary)) {
            user(redis, RedisRights.of("dq").rules());
            for (int i = 0; i < 2; i++) {
                assertThat(ask(redis)).isEmpty();
            }
            assertThat(redis.raw().keys("*")).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("io.delayqueue.internal.redis.RedisBinary#different")
    void askWhenTheUserLacksOneRightNamesIt(RedisBinary binary) {
        try (SingleRedis redis = new SingleRedis(binary)) {
            for (String command : RedisRights.of("dq").commands()) {
                if (!ASKED_ELSEWHERE.contains(command)) {
                    List<String> rules = new ArrayList<>(RedisRights.of("dq").rules());
                    rules.add("-" + command);
                    user(redis, rules);
                    assertMissing(ask(redis), command);
                    assertThat(redis.raw().keys("*"))
                            .as("left by the probe without " + command)
                            .isEmpty();
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("io.delayqueue.internal.redis.RedisBinary#different")
    void askWhenTheServerHasACommandRenamedNamesIt(RedisBinary binary) {
        for (String command : List.of("EVAL", "EVALSHA", "HSET", "DEL", "ZRANGEBYSCORE", "PUBLISH", "WAIT")) {
            try (SingleRedis redis = new SingleRedis(binary, "--rename-command", command, "HIDDEN" + command)) {
                user(redis, List.of("~*", "&*", "+@all"));
                assertMissing(ask(redis), command);
            }
        }
    }

    private static void assertMissing(List<String> missing, String command) {
        assertThat(missing)
                .containsExactly(command.equalsIgnoreCase("publish") ? CHANNELS : command.toUpperCase(Locale.ROOT));
    }

    @ParameterizedTest
    @MethodSource("io.delayqueue.internal.redis.RedisBinary#different")
    void askWhenTheUserIsOfAnotherPrefixNamesTheKeys(RedisBinary binary) {
        try (SingleRedis redis = new SingleRedis(binary)) {
            user(redis, RedisRights.of("other").rules());
            assertThat(ask(redis)).containsExactly("the keys dq:{*}:*");
        }
    }

    @ParameterizedTest
    @MethodSource("io.delayqueue.internal.redis.RedisBinary#different")
    void askWhenNothingThatTakesKeysAwayIsAllowedLeavesNothing(RedisBinary binary) {
        try (SingleRedis redis = new SingleRedis(binary)) {
            List<String> rules = new ArrayList<>(RedisRights.of("dq").rules());
            rules.addAll(List.of("-del", "-hdel", "-zrem"));
            user(redis, rules);
            assertThat(ask(redis)).containsExactly("DEL", "HDEL", "ZREM");
            org.awaitility.Awaitility.await()
                    .untilAsserted(() -> assertThat(redis.raw().keys("*")).isEmpty());
        }
    }

    @ParameterizedTest
    @MethodSource("io.delayqueue.internal.redis.RedisBinary#different")
    void askWhenTheServerIsFullFindsNothingMissing(RedisBinary binary) {
        try (SingleRedis redis = new SingleRedis(binary)) {
            user(redis, RedisRights.of("dq").rules());
            redis.raw().configSet("maxmemory", "1");
            assertThat(ask(redis)).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("io.delayqueue.internal.redis.RedisBinary#different")
    void askWhenTheServerIsAReplicaOrBusyFindsNothingMissing(RedisBinary binary) {
        try (SingleRedis redis = new SingleRedis(binary)) {
            user(redis, RedisRights.of("dq").rules());
            redis.raw().configSet("replica-serve-stale-data", "no");
            redis.raw().replicaof("127.0.0.1", 1);
            assertThatExceptionOfType(TaskStoreUnavailableException.class).isThrownBy(() -> ask(redis));
            redis.raw().configSet("replica-serve-stale-data", "yes");
            assertThat(ask(redis)).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("io.delayqueue.internal.redis.RedisBinary#different")
    void askWhenTheScriptIsKnownSendsIt(RedisBinary binary) {
        try (SingleRedis redis = new SingleRedis(binary)) {
            user(redis, RedisRights.of("dq").rules());
            RedisConnections connections = connections(redis);
            ask(connections, false);
            redis.raw().configResetstat();
            ask(connections, false);
            assertThat(calls(redis, "evalsha")).isEqualTo(1);
            assertThat(calls(redis, "eval")).as("the trivial one").isEqualTo(1);
        }
    }

    private static int calls(SingleRedis redis, String command) {
        var found = Pattern.compile("cmdstat_" + command + ":calls=(\\d+)")
                .matcher(redis.raw().info("commandstats"));
        return found.find() ? Integer.parseInt(found.group(1)) : 0;
    }

    private static List<String> ask(SingleRedis redis) {
        return ask(connections(redis), true);
    }

    private static List<String> ask(RedisConnections connections, boolean replicas) {
        return RedisProbe.missing(Master.of(connections), new RedisKeys("dq"), TestRedis.TIMEOUT, replicas);
    }

    private static RedisConnections connections(SingleRedis redis) {
        return redis.connections("shop", "secret", TestRedis.TIMEOUT);
    }

    private static void user(SingleRedis redis, List<String> rules) {
        CommandArgs<String, String> args = new CommandArgs<>(StringCodec.UTF8).add("SETUSER");
        List.of("shop", "reset", "on", ">secret").forEach(args::add);
        rules.forEach(args::add);
        redis.raw().dispatch(CommandType.ACL, new StatusOutput<>(StringCodec.UTF8), args);
    }
}
