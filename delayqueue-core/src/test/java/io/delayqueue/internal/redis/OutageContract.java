// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.delayqueue.CancelOutcome;
import io.delayqueue.ScheduleOutcome;
import io.delayqueue.TaskStoreBusyException;
import io.delayqueue.TaskStoreException;
import io.delayqueue.TaskStoreTimeoutException;
import io.delayqueue.TaskStoreUnavailableException;
import io.delayqueue.internal.store.AcquireRequest;
import io.delayqueue.internal.store.Acquires;
import io.delayqueue.internal.store.ScheduleReply;
import io.delayqueue.internal.store.StoreCalls;
import io.delayqueue.internal.store.TestStores;
import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Servers that are gone, slow, or lose the connection in the middle; always with one client that is never restarted.
 */
abstract class OutageContract extends RedisStoreContract {

    private static final Duration TIMEOUT = Duration.ofSeconds(1);
    /** A loaded machine may take its time, but not as much as a second time-out. */
    private static final Duration BOUND = TIMEOUT.plusMillis(900);

    OutageContract(StoreServers servers) {
        super(servers.breakable());
    }

    @BeforeEach
    void useAShortTimeout() {
        store = TestStores.of(redis.connections(TIMEOUT), new RedisKeys("dq"), TIMEOUT, clockOffset::get);
        get(store.shards().stats(SHARD));
    }

    @AfterEach
    void stopServer() {
        redis.close();
    }

    private static TaskStoreException failure(CompletableFuture<?> call) {
        return failure(call, BOUND);
    }

    private static TaskStoreException failure(CompletableFuture<?> call, Duration bound) {
        long start = System.nanoTime();
        try {
            get(call);
        } catch (TaskStoreException ex) {
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(bound);
            return ex;
        }
        throw new AssertionError("The call succeeded");
    }

    private CompletableFuture<List<ScheduleReply>> scheduling(String id, int request) {
        return StoreCalls.schedule(
                store, SHARD, List.of(task(id, request, at(now), io.delayqueue.ConflictPolicy.REPLACE, "p" + request)));
    }

    private void awaitRecovery() {
        await().atMost(Duration.ofSeconds(20))
                .ignoreExceptions()
                .until(() -> get(store.shards().stats(SHARD)) != null);
    }

    /** Unlike with a pause of all commands, the server still reports waiting clients. */
    private void pauseWrites() {
        redis.node()
                .dispatch(
                        CommandType.CLIENT,
                        new StatusOutput<>(StringCodec.UTF8),
                        new CommandArgs<>(StringCodec.UTF8)
                                .add("PAUSE")
                                .add(60_000)
                                .add("WRITE"));
    }

    @Test
    void callWhenTheServerWasNeverThereFailsAsNotSent() {
        redis.server().kill();
        // A cluster's other nodes are asked first, which a loaded machine may take its time for.
        Duration timeout = TIMEOUT.multipliedBy(2);
        store = TestStores.of(redis.connections(timeout), new RedisKeys("dq"), timeout, clockOffset::get);

        TaskStoreException failure = failure(scheduling("a", 1), timeout.plusMillis(900));

        assertThat(failure).isInstanceOf(TaskStoreUnavailableException.class);
        assertThat(failure.mayHaveBeenApplied()).isFalse();
        redis.server().restart();
        awaitRecovery();
        assertThat(schedule("a", 1, now).outcome()).isEqualTo(ScheduleOutcome.CREATED);
    }

    @Test
    void callsWhenTheServerAcceptsButNeverAnswersAllFailInTime() throws IOException {
        try (ServerSocket mute = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            RedisTarget target = RedisTarget.of(RedisURI.create("127.0.0.1", mute.getLocalPort()));
            RedisConnections own = new RedisConnections(() -> target, TIMEOUT, 1000);
            store = TestStores.of(own, new RedisKeys("dq"), TIMEOUT, clockOffset::get);
            long start = System.nanoTime();

            List<CompletableFuture<List<ScheduleReply>>> calls =
                    IntStream.range(0, 8).mapToObj(i -> scheduling("a" + i, i)).toList();
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .as("no call waits for an answer")
                    .isLessThan(TIMEOUT);

            for (CompletableFuture<?> call : calls) {
                assertThat(failure(call).mayHaveBeenApplied()).isFalse();
            }
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(BOUND);
            own.close();
        }
    }

    /** The driver counts in two places: what is not flushed yet, and what is not answered. */
    @Test
    void callsWhenMoreAreUnderWayThanMayAreRefusedAsNotSentAndSayWhy() {
        int most = 20;
        store = TestStores.of(
                redis.connections(TestRedis.USER, TestRedis.PASSWORD, TIMEOUT, most),
                new RedisKeys("dq"),
                TIMEOUT,
                clockOffset::get);
        get(store.shards().stats(SHARD));
        pauseWrites();
        List<CompletableFuture<List<ScheduleReply>>> calls = IntStream.range(0, 5 * most)
                .mapToObj(i -> scheduling("a" + i, i))
                .toList();

        List<TaskStoreException> failures =
                calls.stream().map(OutageContract::failure).toList();

        assertThat(failures).hasAtLeastOneElementOfType(TaskStoreTimeoutException.class);
        assertThat(failures.stream().filter(TaskStoreBusyException.class::isInstance))
                .hasSizeGreaterThan(2 * most)
                .allSatisfy(busy -> assertThat(busy)
                        .hasMessageContaining("too many calls are in progress")
                        .hasMessageContaining("nothing was sent")
                        .hasMessageNotContaining("cannot be reached")
                        .extracting("mayHaveBeenApplied")
                        .isEqualTo(false));
        redis.node()
                .dispatch(
                        CommandType.CLIENT,
                        new StatusOutput<>(StringCodec.UTF8),
                        new CommandArgs<>(StringCodec.UTF8).add("UNPAUSE"));
        awaitRecovery();
        assertThat(get(store.shards().stats(SHARD)).live()).isLessThanOrEqualTo(most);
    }

    @Test
    void callWhenTheServerIsPausedTimesOutAndTheSameRequestIsAnsweredLater() {
        redis.node().clientPause(60_000);

        TaskStoreException failure = failure(scheduling("a", 1));

        assertThat(failure).isInstanceOf(TaskStoreTimeoutException.class);
        assertThat(failure.mayHaveBeenApplied()).isTrue();
        redis.server().restart();
        awaitRecovery();
        assertThat(schedule("a", 1, now).outcome()).isEqualTo(ScheduleOutcome.CREATED);
        assertThat(state().index()).containsOnlyKeys("a");
    }

    /** The least of three: a machine that stands still only adds to one. A cluster's node is in use after the test. */
    @Test
    void callsWhenTheServerIsPausedEndWithinTheirTimeOutAndHalfASecond() {
        redis.node().clientPause(BOUND.multipliedBy(3).toMillis());
        Duration least = Duration.ofDays(1);
        for (int i = 0; i < 3; i++) {
            long start = System.nanoTime();
            failure(scheduling("a", 1));
            Duration took = Duration.ofNanos(System.nanoTime() - start);
            least = took.compareTo(least) < 0 ? took : least;
        }

        assertThat(least).isLessThan(TIMEOUT.plusMillis(500));
    }

    @Test
    void acquireWhenTheServerRunsItAfterItsTimeOutTakesNothing() {
        schedule("known", 7, now);
        assertThat(acquire(1).tasks()).hasSize(1);
        schedule("due", 8, now);
        redis.node().clientPause(3 * TIMEOUT.toMillis());

        AcquireRequest request = Acquires.of(10, LEASE, MAX_EXPIRED, 1 << 20, 500);
        assertThat(failure(store.leases().acquire(SHARD, request)).mayHaveBeenApplied())
                .isTrue();
        awaitRecovery();

        assertThat(state().leases()).containsOnlyKeys("known");
        assertThat(acquire(10).tasks()).hasSize(1);
    }

    @Test
    void callWhenItRanAfterItsTimeOutIsAnsweredAsTheFirstTime() {
        schedule("known", 7, now);
        redis.node().clientPause(2 * TIMEOUT.toMillis());
        assertThat(failure(scheduling("a", 1)).mayHaveBeenApplied()).isTrue();
        await().until(() -> state().index().containsKey("a"));

        ScheduleReply again = changesNothing(() -> schedule("a", 1, now));

        assertThat(again.outcome()).isEqualTo(ScheduleOutcome.CREATED);
    }

    @Test
    void callWhenTheServerIsKilledUnderItSaysThatItMayHaveRun() {
        pauseWrites();
        CompletableFuture<List<ScheduleReply>> call = scheduling("a", 1);
        await().pollInterval(Duration.ofMillis(2))
                .until(() -> redis.node().clientList().contains(" flags=b "));
        redis.server().kill();

        TaskStoreException failure = failure(call);

        assertThat(failure).isInstanceOf(TaskStoreUnavailableException.class);
        assertThat(failure.mayHaveBeenApplied()).isTrue();
    }

    @Test
    void callWhenTheServerIsGoneFailsAsNotSentAndLaterFindsWhatWasStored() {
        schedule("a", 1, now - MINUTE);
        long token = lease("a");
        ShardState before = state();
        redis.server().kill();
        await().ignoreExceptions()
                .until(() -> !failure(store.shards().stats(SHARD)).mayHaveBeenApplied());

        TaskStoreException failure = failure(scheduling("b", 2));

        assertThat(failure).isInstanceOf(TaskStoreUnavailableException.class);
        assertThat(failure.mayHaveBeenApplied()).isFalse();
        redis.server().restart();
        awaitRecovery();
        assertThat(state()).isEqualTo(before);
        assertThat(settle(io.delayqueue.internal.store.Settlement.ack("a", token)))
                .isTrue();
    }

    @Test
    void commandsWhenConnectionsAreKilledNeverRunTwice() {
        RedisConnections own = redis.connections("default", "any", Duration.ofSeconds(2));
        RedisClusterAsyncCommands<byte[], byte[]> commands = own.commands().join();
        int unknown = 0;
        for (int round = 0; round < 15; round++) {
            List<CompletionStage<Long>> sent = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                sent.add(commands.incr(("n:" + round + ":" + i).getBytes(StandardCharsets.US_ASCII)));
                if (i == 150) {
                    killClients();
                }
            }
            for (CompletionStage<Long> each : sent) {
                unknown += each.handle((value, error) -> error == null ? 0 : 1)
                        .toCompletableFuture()
                        .join();
            }
            await().ignoreExceptions().until(() -> commands.ping().get() != null);
        }

        assertThat(unknown).isPositive();
        for (String key : redis.raw().keys("n:*")) {
            assertThat(redis.raw().get(key)).as(key).isEqualTo("1");
        }
        redis.raw().flushall();
    }

    @Test
    void scheduleWhenConnectionsAreKilledStoresEachTaskOnceAndAnswersCreated() {
        int lost = 0;
        int total = 0;
        for (int round = 0; round < 10; round++) {
            List<CompletableFuture<List<ScheduleReply>>> calls = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                calls.add(scheduling("t" + total, total++));
                if (i % 50 == 25) {
                    killClients();
                }
            }
            for (CompletableFuture<List<ScheduleReply>> call : calls) {
                try {
                    assertThat(get(call).get(0).outcome()).isEqualTo(ScheduleOutcome.CREATED);
                } catch (TaskStoreException ex) {
                    lost++;
                }
            }
        }
        ShardState after = state();
        assertThat(after.brokenInvariant()).isEmpty();
        assertThat(after.index().size()).isBetween(total - lost, total);
        assertThat(lost).isLessThan(total / 2);
    }

    @Test
    void cancelWhenConnectionsAreKilledNeverSaysThatAWaitingTaskWasNotThere() {
        List<CancelOutcome> outcomes = new ArrayList<>();
        List<String> unsent = new ArrayList<>();
        for (int round = 0; round < 10; round++) {
            for (int i = 0; i < 100; i++) {
                scheduleInTheEnd("c" + round + "-" + i, round * 100 + i);
            }
            List<CompletableFuture<CancelOutcome>> calls = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                calls.add(StoreCalls.cancel(store, SHARD, "c" + round + "-" + i));
                if (i % 50 == 25) {
                    killClients();
                }
            }
            for (int i = 0; i < 100; i++) {
                try {
                    outcomes.add(get(calls.get(i)));
                } catch (TaskStoreException ex) {
                    if (!ex.mayHaveBeenApplied()) {
                        unsent.add("c" + round + "-" + i);
                    }
                }
            }
            awaitRecovery();
        }
        assertThat(state().index().keySet()).as("said not to have run").containsAll(unsent);
        assertThat(outcomes).isNotEmpty().containsOnly(CancelOutcome.CANCELLED);
        redis.raw().flushall();
    }

    /** Schedules after the connections were killed; the same request may be repeated. */
    private void scheduleInTheEnd(String id, int request) {
        for (int attempt = 1; ; attempt++) {
            try {
                get(scheduling(id, request));
                return;
            } catch (TaskStoreException ex) {
                if (attempt == 5) {
                    throw ex;
                }
            }
        }
    }

    private void killClients() {
        redis.node().clientKill(KillArgs.Builder.typeNormal().skipme());
    }

    @Test
    void exceptionsWhenThrownNameQueueAndIdButNoPayload() {
        redis.server().kill();

        assertThatExceptionOfType(TaskStoreException.class)
                .isThrownBy(() -> schedule(task("the-id", 1, at(now), io.delayqueue.ConflictPolicy.KEEP, "secret")))
                .withMessageContaining("orders")
                .withMessageContaining("the-id")
                .matches(ex -> !ex.getMessage().contains("secret"));
    }
}
