// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.delayqueue.ConflictPolicy;
import io.delayqueue.EncodedPayload;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.TaskStoreException;
import io.delayqueue.TaskStoreTimeoutException;
import io.delayqueue.UpdateOutcome;
import io.delayqueue.delivery.TaskDestination;
import io.delayqueue.internal.calls.Replicated;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.engine.CollectingDestination;
import io.delayqueue.internal.engine.Engine;
import io.delayqueue.internal.engine.EngineHooks;
import io.delayqueue.internal.engine.InterceptorChain;
import io.delayqueue.internal.queue.LimitSettings;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.QueueSettingsBuilder;
import io.delayqueue.internal.queue.Rate;
import io.delayqueue.internal.sharding.Shardings;
import io.delayqueue.internal.store.AcquireRequest;
import io.delayqueue.internal.store.AcquiredTask;
import io.delayqueue.internal.store.Acquires;
import io.delayqueue.internal.store.Acquisition;
import io.delayqueue.internal.store.Settlement;
import io.delayqueue.internal.store.ShardingVersion;
import io.delayqueue.internal.store.StoreCalls;
import io.delayqueue.internal.store.TaskStore;
import io.delayqueue.internal.store.TaskUpdate;
import io.delayqueue.internal.store.TestStores;
import io.delayqueue.internal.store.WakeSignals;
import io.delayqueue.internal.trigger.TriggerContext;
import io.delayqueue.trigger.ScanTrigger;
import io.delayqueue.trigger.TestBeans;
import io.lettuce.core.RedisURI;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * An acquire that ran but whose reply did not arrive: no process handles its tasks, so they must not count as lost
 * leases.
 */
class LostAnswerIntegrationTests extends RedisStoreContract {

    private static final Duration TIMEOUT = Duration.ofMillis(700);

    private AnswerProxy proxy;
    private RedisConnections connections;
    /** The store of the process whose replies are lost; {@link #store} belongs to another process. */
    private TaskStore behindProxy;

    private volatile boolean clockIsBroken;

    LostAnswerIntegrationTests() {
        super(TestRedis.shared(RedisBinary.EMBEDDED_6_2));
    }

    @BeforeEach
    void connectThroughAProxy() throws IOException {
        proxy = new AnswerProxy(redis.server().port());
        RedisURI address = RedisURI.create("127.0.0.1", proxy.port());
        address.setAuthentication(TestRedis.USER, TestRedis.PASSWORD.toCharArray());
        connections = new RedisConnections(() -> RedisTarget.of(address), TIMEOUT, 1000);
        behindProxy = TestStores.of(connections, new RedisKeys("dq"), TIMEOUT, this::offset);
        schedule("first", 1, now - 3 * MINUTE);
        // so that the script is known to the server, and the server's clock to the store
        Acquisition acquisition = get(acquiring(1));
        settle(Settlement.ack("first", acquisition.token()));
    }

    @AfterEach
    void close() throws IOException {
        connections.close();
        proxy.close();
    }

    private long offset() {
        if (clockIsBroken) {
            throw new IllegalStateException("the clock is broken");
        }
        return clockOffset.get();
    }

    private CompletableFuture<Acquisition> acquiring(int limit) {
        return behindProxy.leases().acquire(SHARD, Acquires.of(limit, LEASE, MAX_EXPIRED, 1 << 20, 1));
    }

    private List<String> acquired(int limit) {
        return get(acquiring(limit)).tasks().stream()
                .peek(task -> assertThat(task.isSuspect()).isFalse())
                .map(AcquiredTask::id)
                .toList();
    }

    /** Its answer comes too late, and the call is given up. */
    private void loseTheAnswer(AcquireRequest request) {
        proxy.holdAnswers();
        assertThatExceptionOfType(TaskStoreTimeoutException.class)
                .isThrownBy(() -> get(behindProxy.leases().acquire(SHARD, request)));
        proxy.letAnswersThrough();
    }

    private static AcquireRequest limit(int limit) {
        return Acquires.of(limit, LEASE, MAX_EXPIRED, 1 << 20, 1);
    }

    @Test
    void acquireWhenTheConnectionIsLostFailsAndTheSameTasksAreTakenAWhileLater() {
        schedule("a", 1, now - 2 * MINUTE);
        schedule("b", 2, now - MINUTE);
        schedule("c", 3, now - MINUTE);

        proxy.loseNextAnswer();
        assertThatExceptionOfType(TaskStoreException.class)
                .isThrownBy(() -> get(acquiring(2)))
                .matches(TaskStoreException::mayHaveBeenApplied);

        assertThat(proxy.hasLostIt()).isTrue();
        assertThat(state().leases()).containsOnlyKeys("a", "b");
        List<String> ids = new ArrayList<>();
        await().until(() -> {
            ids.addAll(acquired(2));
            return ids.size() == 3;
        });
        assertThat(ids).as("the others go on meanwhile").containsExactlyInAnyOrder("a", "b", "c");
        assertThat(state().attempts()).isEmpty();
        assertThat(acquired(2)).isEmpty();
    }

    /** A second run would find no lease, and its verdict would mean that the settlement had no effect. */
    @Test
    void settleWhenTheConnectionIsLostFailsAndIsNotRunAgain() {
        schedule("a", 1, now - MINUTE);
        long token = get(acquiring(1)).token();

        proxy.loseNextAnswer();
        assertThatExceptionOfType(TaskStoreException.class)
                .isThrownBy(() ->
                        get(behindProxy.leases().settle(SHARD, List.of(Settlement.dead("a", token, false, "r")))))
                .matches(TaskStoreException::mayHaveBeenApplied);

        assertThat(state().dead()).containsOnlyKeys("a");
    }

    @Test
    void cancelWhenTheConnectionThatWaitsForReplicasWasDroppedSilentlyUsesAnother() {
        cancelWithReplicas();
        proxy.dropConnectionsSilently();
        assertThatExceptionOfType(TaskStoreTimeoutException.class).isThrownBy(this::cancelWithReplicas);

        await().ignoreException(TaskStoreTimeoutException.class).until(() -> {
            cancelWithReplicas();
            return true;
        });
    }

    private void cancelWithReplicas() {
        get(behindProxy.tasks().cancel(SHARD, ShardingVersion.NONE, "none", null, 1));
    }

    @Test
    void acquireWhenItsAnswerComesTooLateTakesTheSameTasksTheNextTime() {
        schedule("a", 1, now - 2 * MINUTE);
        schedule("b", 2, now - MINUTE);

        loseTheAnswer(limit(1));
        assertThat(state().leases()).containsOnlyKeys("a");

        assertThat(acquired(1)).containsExactly("a");
        assertThat(state().leases()).containsOnlyKeys("a");
        assertThat(acquired(1)).containsExactly("b");
        assertThat(acquired(1)).isEmpty();
    }

    /** The shard contains nothing else that would cause another scan. */
    @Test
    void taskWhenTheAnswerThatBroughtItIsLostIsDeliveredByTheNextScanThatMayReclaimIt() {
        schedule("a", 1, now - MINUTE);
        schedule("b", 2, now - MINUTE);
        CollectingDestination destination = CollectingDestination.acknowledging();
        proxy.loseNextAnswer();
        whileScanning(destination, LimitSettings.NONE, trigger -> {
            await().pollInterval(Duration.ofMillis(10)).until(proxy::hasLostIt);
            long lostAt = System.nanoTime();
            assertThat(state().leases()).containsOnlyKeys("a", "b");

            await().pollInterval(Duration.ofMillis(10))
                    .until(() -> destination.ids().size() == 2);

            assertThat(Duration.ofNanos(System.nanoTime() - lostAt)).isLessThan(TIMEOUT.plusSeconds(1));
            assertThat(destination.seen()).allSatisfy(delivery -> {
                assertThat(delivery.attempt()).isOne();
                assertThat(delivery.isSuspect()).isFalse();
            });
            assertThat(state().attempts()).isEmpty();
        });
    }

    /** Another process may deliver the task. */
    @Test
    void taskWhenItsAnswerIsLostAndTheDestinationIsUnavailableIsReleased() {
        schedule("a", 1, now - MINUTE);
        loseTheAnswer(limit(1));
        CollectingDestination unavailable = new CollectingDestination(delivery -> {}) {
            @Override
            public Duration unavailableFor() {
                return Duration.ofHours(1);
            }
        };
        assertReleasedWhileScanning(unavailable, LimitSettings.NONE);
    }

    @Test
    void taskWhenItsAnswerIsLostAndTheRateOfTheQueueIsUsedUpIsReleased() {
        schedule("a", 1, now - MINUTE);
        loseTheAnswer(limit(1));
        Duration interval = Duration.ofHours(1);
        get(store.shards().takeTokens(SHARD.queue(), interval.toNanos(), 1, 1, 0, 0));
        assertReleasedWhileScanning(
                CollectingDestination.acknowledging(), new LimitSettings(new Rate(1, interval), null, null, null));
    }

    @Test
    void stopWhenTheAnswerOfAnAcquireIsLostReleasesItsTasks() {
        schedule("a", 1, now - MINUTE);
        proxy.loseNextAnswer();

        whileScanning(CollectingDestination.acknowledging(), LimitSettings.NONE, trigger -> {
            await().pollInterval(Duration.ofMillis(10)).until(proxy::hasLostIt);
            trigger.stop();
        });

        assertReleased();
    }

    @Test
    void scanOnceWhenTheAnswerOfItsAcquireIsLostReleasesItsTasks() {
        schedule("a", 1, now - MINUTE);
        proxy.loseNextAnswer();

        withTrigger(
                CollectingDestination.acknowledging(),
                LimitSettings.NONE,
                trigger -> assertThatExceptionOfType(TaskStoreException.class)
                        .isThrownBy(() -> trigger.scanOnce(10))
                        .matches(TaskStoreException::mayHaveBeenApplied));

        assertReleased();
    }

    private void assertReleased() {
        assertThat(state().leases()).isEmpty();
        assertThat(state().attempts()).isEmpty();
        assertThat(acquire(1).tasks()).extracting(AcquiredTask::id).containsExactly("a");
    }

    private void assertReleasedWhileScanning(CollectingDestination destination, LimitSettings limits) {
        assertThat(state().leases()).containsOnlyKeys("a");
        whileScanning(
                destination,
                limits,
                trigger ->
                        await().untilAsserted(() -> assertThat(state().leases()).isEmpty()));
        assertThat(destination.ids()).isEmpty();
        assertReleased();
    }

    private void whileScanning(TaskDestination destination, LimitSettings limits, Consumer<ScanTrigger> test) {
        withTrigger(destination, limits, trigger -> {
            trigger.start();
            test.accept(trigger);
        });
    }

    private void withTrigger(TaskDestination destination, LimitSettings limits, Consumer<ScanTrigger> test) {
        QueueCatalog queues = new QueueCatalog(List.of(QueueSettingsBuilder.of(SHARD.queue())
                .shards(1)
                .lease(LEASE)
                .limits(limits)
                .build()));
        ScanTrigger trigger = new ScanTrigger(SHARD.queue()) {
            @Override
            protected TaskDestination createDestination() {
                return destination;
            }
        };
        try (Engine engine = new Engine(behindProxy, Shardings.fixed(queues), new Scheduler(), EngineHooks.NONE)) {
            trigger.setBeanFactory(
                    TestBeans.of(new TriggerContext(engine, queues, WakeSignals.NONE, InterceptorChain.EMPTY, false)));
            test.accept(trigger);
        } finally {
            trigger.destroy();
        }
    }

    /** Leases of other stores, in this process or others, leases that the store knows, and another shard. */
    @Test
    void acquireWhenItsAnswerIsLostLeavesAllOtherLeasesAlone() {
        schedule("mine", 1, now - 3 * MINUTE);
        assertThat(acquired(1)).containsExactly("mine");
        schedule("others", 2, now - 3 * MINUTE);
        assertThat(acquire(1).tasks()).extracting(AcquiredTask::id).containsExactly("others");
        schedule("lost", 3, now - 2 * MINUTE);
        loseTheAnswer(limit(1));
        schedule("too", 4, now - 4 * MINUTE);
        assertThat(acquire(1).tasks()).extracting(AcquiredTask::id).containsExactly("too");

        assertThat(acquired(10)).containsExactly("lost");

        assertThat(state().leases()).containsOnlyKeys("mine", "others", "lost", "too");
        assertThat(acquired(10)).isEmpty();
    }

    @Test
    void acquireWhenTheLostOnesAreSomebodyElsesByNowLeavesThemAlone() {
        schedule("a", 1, now - MINUTE);
        loseTheAnswer(limit(1));
        moveClock(LEASE.toMillis());
        long taken = lease("a");

        assertThat(acquired(1)).isEmpty();

        assertThat(settle(Settlement.ack("a", taken))).isTrue();
    }

    @Test
    void acquireWhenItsAnswerWasLostMinutesAgoButTheLeaseIsLongerTakesTheSameTasksAgain() {
        AcquireRequest longLease = Acquires.of(1, Duration.ofMinutes(30), MAX_EXPIRED, 1 << 20, 1);
        schedule("a", 1, now - MINUTE);
        loseTheAnswer(longLease);

        moveClock(5 * MINUTE);

        assertThat(acquired(1)).containsExactly("a");
    }

    /** It must not count as in progress, for then nothing would ever be reclaimed. */
    @Test
    void acquireWhenAnotherOneFailedBeforeItWasSentTakesTheTasksOfALostAnswer() {
        schedule("a", 1, now - MINUTE);
        loseTheAnswer(limit(1));
        clockIsBroken = true;
        assertThat(acquiring(1))
                .failsWithin(Duration.ofSeconds(5))
                .withThrowableThat()
                .withMessageContaining("the clock is broken");
        clockIsBroken = false;

        List<String> ids = new ArrayList<>();
        await().until(() -> ids.addAll(acquired(1)));
        assertThat(ids).containsExactly("a");
    }

    /** A full hash of leases takes several steps. */
    @Test
    void acquireWhenTheLostOnesAreAmongManyLeasesFindsThemAll() {
        for (int i = 0; i < 1_500; i++) {
            schedule("other-" + i, 2 * i, now - 2 * MINUTE);
        }
        for (int i = 0; i < 3; i++) {
            assertThat(acquire(500).tasks()).hasSize(500);
        }
        for (int i = 0; i < 400; i++) {
            schedule("lost-" + i, 2 * i + 1, now - MINUTE);
        }
        AcquireRequest many = Acquires.of(400, LEASE, MAX_EXPIRED, 1 << 20, 1);
        loseTheAnswer(many);
        assertThat(state().leases()).hasSize(1_900);

        assertThat(get(behindProxy.leases().acquire(SHARD, many)).tasks())
                .extracting(AcquiredTask::id)
                .hasSize(400)
                .allMatch(id -> id.startsWith("lost-"));
    }

    /** Both would be made again, but their timer ends with the connections. */
    @Test
    void callsInProgressWhenTheConnectionsAreClosedFail() {
        proxy.holdAnswers();
        CompletableFuture<?> schedule =
                StoreCalls.schedule(behindProxy, SHARD, List.of(task("a", 1, at(now), ConflictPolicy.REPLACE, "{}")));
        CompletableFuture<?> withReplicas = behindProxy.tasks().cancel(SHARD, ShardingVersion.NONE, "none", null, 1);

        connections.close();

        for (CompletableFuture<?> call : List.of(schedule, withReplicas)) {
            assertThat(call)
                    .failsWithin(Duration.ofSeconds(5))
                    .withThrowableThat()
                    .withCauseInstanceOf(TaskStoreException.class);
        }
    }

    @Test
    void acquireWhenNoAnswerIsLostLooksAtNoOtherLeases() {
        schedule("a", 1, now - MINUTE);
        long before = calls("hscan");

        acquired(1);

        assertThat(calls("hscan")).isEqualTo(before);
        assertThat(redis.raw().keys("*acquires*")).isEmpty();
    }

    private long calls(String command) {
        return redis.raw()
                .info("commandstats")
                .lines()
                .filter(line -> line.startsWith("cmdstat_" + command + ":"))
                .mapToLong(line -> Long.parseLong(line.replaceAll(".*calls=(\\d+),.*", "$1")))
                .sum();
    }

    private CompletableFuture<UpdateOutcome> updating(String payload) {
        return StoreCalls.update(
                behindProxy,
                SHARD,
                ShardingVersion.NONE,
                "a",
                new TaskUpdate(new EncodedPayload("text/x", payload.getBytes(UTF_8)), Map.of()));
    }

    /** The answer to a second run could be that of a delivery which has begun after the first. */
    @Test
    void updateWhenItsAnswerIsLostIsNotMadeAgain() {
        schedule("a", 1, now + MINUTE);
        assertThat(get(updating("known"))).isEqualTo(UpdateOutcome.UPDATED);

        proxy.loseNextAnswer();
        assertThatExceptionOfType(TaskStoreException.class).isThrownBy(() -> get(updating("new")));

        assertThat(proxy.hasLostIt()).isTrue();
        assertThat(get(store.tasks().find(SHARD, "a")).orElseThrow().content().payload())
                .asString(UTF_8)
                .isEqualTo("new");
    }

    /** A second run would find the task changed by the first, and say that another caller changed it. */
    @Test
    void rescheduleWhenItExpectsTheTaskAsItWasAndItsAnswerIsLostIsNotMadeAgain() {
        schedule("a", 1, now + MINUTE);
        Instant seen = Instant.ofEpochMilli(now + MINUTE);
        assertThat(get(rescheduling(2, seen)).answer()).isEqualTo(RescheduleOutcome.RESCHEDULED);

        proxy.loseNextAnswer();
        assertThatExceptionOfType(TaskStoreException.class)
                .isThrownBy(() -> get(rescheduling(3, seen.plusMillis(MINUTE))))
                .satisfies(ex -> assertThat(ex.mayHaveBeenApplied()).isTrue());

        assertThat(proxy.hasLostIt()).isTrue();
        assertThat(get(store.tasks().find(SHARD, "a")).orElseThrow().nextAttentionAt())
                .isEqualTo(Instant.ofEpochMilli(now + 3 * MINUTE));
    }

    private CompletableFuture<Replicated<RescheduleOutcome>> rescheduling(int minutes, Instant seen) {
        return behindProxy.tasks().reschedule(SHARD, ShardingVersion.NONE, "a", at(now + minutes * MINUTE), seen, 0);
    }
}
