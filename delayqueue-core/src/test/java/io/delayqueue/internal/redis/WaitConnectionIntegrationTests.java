// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.internal.store.Replicated;
import io.delayqueue.internal.store.Shard;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rounds that wait for a replica that there is not. */
class WaitConnectionIntegrationTests {

    private static final ShardKeys SHARD = new RedisKeys("dq").of(new Shard("orders", 0));
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private RedisServerProcess server;
    private RedisClient client;

    @BeforeEach
    void start() {
        server = RedisServerProcess.start(RedisBinary.INSTALLED);
        client = RedisClient.create(RedisURI.create("127.0.0.1", server.port()));
    }

    @AfterEach
    void stop() {
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

    private static CompletableFuture<Replicated<String>> ping(WaitConnection line) {
        return send(line, RedisAsyncCommands::ping);
    }

    private static CompletableFuture<Replicated<String>> send(
            WaitConnection line, Function<RedisAsyncCommands<byte[], byte[]>, CompletionStage<String>> script) {
        return line.send(SHARD, () -> true, true, script);
    }

    @Test
    void sendWhenAsManyWaitAsMayIsRefusedAsByTheDriver() {
        WaitConnection line = new WaitConnection(connect(10), 1, Duration.ofMillis(300));
        List<CompletableFuture<Replicated<String>>> taken = new ArrayList<>();
        for (int i = 0; i < 11; i++) {
            taken.add(ping(line));
        }

        assertThat(ping(line))
                .failsWithin(Duration.ZERO)
                .withThrowableOfType(ExecutionException.class)
                .satisfies(
                        ex -> assertThat(RedisErrors.isNotSent(ex.getCause())).isTrue());

        assertThat(taken)
                .allSatisfy(call -> assertThat(call)
                        .succeedsWithin(TIMEOUT)
                        .extracting(Replicated::replicas)
                        .isEqualTo(0));
    }

    @Test
    void sendWhenACallBreaksDownGoesOnWithTheNext() {
        WaitConnection line = new WaitConnection(connect(10), 1, Duration.ofMillis(1));

        assertThat(send(line, redis -> {
                    throw new AssertionError("broken");
                }))
                .failsWithin(TIMEOUT)
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(AssertionError.class);

        assertThat(ping(line)).succeedsWithin(TIMEOUT);
    }

    @Test
    void sendWhenTheConnectionIsClosedFailsHoweverManyWait() {
        StatefulRedisConnection<byte[], byte[]> connection = connect(200_000);
        WaitConnection line = new WaitConnection(connection, 1, Duration.ofMinutes(1));
        List<CompletableFuture<Replicated<String>>> calls = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            calls.add(ping(line));
        }

        connection.close();

        CompletableFuture<Void> all = CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new));
        assertThat(all).failsWithin(TIMEOUT);
        assertThat(calls).allMatch(CompletableFuture::isCompletedExceptionally);
    }
}
