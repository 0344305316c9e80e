// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.delayqueue.internal.calls.SendPermit;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rounds that wait for a replica that there is not. */
class WaitConnectionIntegrationTests {

    private static final RedisKeys KEYS = new RedisKeys("dq");
    private static final ShardKeys SHARD = KEYS.ofShard("orders", 0);
    private static final ShardKeys OTHER_SHARD = KEYS.ofShard("orders", 1);
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private RedisServerProcess server;
    private RedisClient client;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

    @BeforeEach
    void start() {
        server = RedisServerProcess.start(RedisBinary.INSTALLED);
        client = RedisClient.create(RedisURI.create("127.0.0.1", server.port()));
    }

    @AfterEach
    void stop() {
        timer.shutdownNow();
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        server.close();
    }

    private StatefulRedisConnection<byte[], byte[]> connect(int requestQueueSize) {
        client.setOptions(ClientOptions.builder()
                .requestQueueSize(requestQueueSize)
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .build());
        return client.connect(ByteArrayCodec.INSTANCE);
    }

    private WaitConnection line(StatefulRedisConnection<byte[], byte[]> connection, Duration patience) {
        return new WaitConnection(connection, 1, patience, (failed, failure) -> {});
    }

    /** A call whose script answers 1. */
    private ScriptCall<Long> call(SendPermit permit) {
        return call(SHARD, permit);
    }

    private ScriptCall<Long> call(ShardKeys shard, SendPermit permit) {
        RedisConnections connections = mock(RedisConnections.class);
        when(connections.timer()).thenReturn(timer);
        return new ScriptCall<>(
                new ScriptRequest(Script.NOOP_WRITE, shard, shard.of(Script.NOOP_WRITE), "a call", new byte[0][]),
                new ScriptRunner(connections, Duration.ofMinutes(1), Duration.ofSeconds(1)),
                CompletableFuture::new,
                permit);
    }

    private CompletableFuture<Long> send(WaitConnection line) {
        return send(line, SHARD);
    }

    private CompletableFuture<Long> send(WaitConnection line, ShardKeys shard) {
        return line.send(call(shard, new SendPermit()), true).toCompletableFuture();
    }

    @Test
    void sendWhenAsManyWaitAsMayIsRefusedAsByTheDriver() {
        WaitConnection line = line(connect(10), Duration.ofMillis(300));
        List<CompletableFuture<Long>> taken = new ArrayList<>();
        for (int i = 0; i < 11; i++) {
            taken.add(send(line));
        }

        assertThat(send(line))
                .failsWithin(Duration.ZERO)
                .withThrowableOfType(ExecutionException.class)
                .satisfies(
                        ex -> assertThat(RedisErrors.isNotSent(ex.getCause())).isTrue());

        assertThat(taken)
                .allSatisfy(call -> assertThat(call).succeedsWithin(TIMEOUT).isEqualTo(1L));
    }

    /** As for a shard that has moved to another server. */
    @Test
    void sendWhenTheServerRefusesTheShardOfTheLastCallCountsForTheOthers() {
        StatefulRedisConnection<byte[], byte[]> connection = connect(10);
        WaitConnection line = line(connection, Duration.ofMillis(300));
        connection
                .sync()
                .aclSetuser("default", AclSetuserArgs.Builder.resetKeys().keyPattern("dq:{orders:0}:*"));
        CompletableFuture<Long> firstRound = send(line);

        CompletableFuture<Long> allowed = send(line);
        CompletableFuture<Long> refused = send(line, OTHER_SHARD);

        assertThat(firstRound).succeedsWithin(TIMEOUT);
        assertThat(refused)
                .failsWithin(TIMEOUT)
                .withThrowableOfType(ExecutionException.class)
                .withMessageContaining("NOPERM");
        assertThat(allowed).succeedsWithin(TIMEOUT).isEqualTo(1L);
    }

    @Test
    void sendWhenTheServerRefusesToCountReplicasCountsNone() {
        StatefulRedisConnection<byte[], byte[]> connection = connect(10);
        WaitConnection line = line(connection, Duration.ofMillis(300));
        connection.sync().aclSetuser("default", AclSetuserArgs.Builder.removeCommand(CommandType.WAIT));
        ScriptCall<Long> call = call(new SendPermit());

        assertThat(line.send(call, true).toCompletableFuture())
                .succeedsWithin(TIMEOUT)
                .isEqualTo(1L);
        assertThat(call.replicas()).isZero();
    }

    @Test
    void sendWhenACallBreaksDownGoesOnWithTheNext() {
        WaitConnection line = line(connect(10), Duration.ofMillis(1));

        SendPermit broken = mock(SendPermit.class);
        when(broken.part()).thenReturn(broken);
        when(broken.take()).thenThrow(new AssertionError("broken"));

        assertThat(line.send(call(broken), true).toCompletableFuture())
                .failsWithin(TIMEOUT)
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(AssertionError.class);

        assertThat(send(line)).succeedsWithin(TIMEOUT);
    }

    @Test
    void sendWhenTheConnectionIsClosedFailsHoweverManyWait() {
        StatefulRedisConnection<byte[], byte[]> connection = connect(200_000);
        WaitConnection line = line(connection, Duration.ofMinutes(1));
        List<CompletableFuture<Long>> calls = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            calls.add(send(line));
        }

        connection.close();

        CompletableFuture<Void> all = CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new));
        assertThat(all).failsWithin(TIMEOUT);
        assertThat(calls).allMatch(CompletableFuture::isCompletedExceptionally);
    }
}
