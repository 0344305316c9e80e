// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.delayqueue.BatchFailedException;
import io.delayqueue.CancelOutcome;
import io.delayqueue.Due;
import io.delayqueue.LogLines;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.TaskStoreException;
import io.delayqueue.TaskStoreUnavailableException;
import io.delayqueue.codec.JacksonPayloadCodec;
import io.delayqueue.internal.client.DelayQueueTemplate;
import io.delayqueue.internal.codec.PayloadCodecs;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.QueueSettingsBuilder;
import io.delayqueue.internal.queue.TaskBounds;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.ShardingVersion;
import io.delayqueue.internal.store.StoreCalls;
import io.delayqueue.internal.store.TaskStore;
import io.delayqueue.internal.store.TestStores;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** One server that refuses connections for a while, and a client that is never restarted. */
class LostServerIntegrationTests {

    private static final Shard SHARD = new Shard("orders", 0);
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final SingleRedis redis = new SingleRedis(RedisBinary.INSTALLED);
    private final RedisConnections connections = redis.connections(TIMEOUT);
    private final TaskStore store = TestStores.of(connections, new RedisKeys("dq"), TIMEOUT);
    private LogLines log;

    @BeforeEach
    void listen() {
        log = new LogLines();
    }

    @AfterEach
    void close() {
        log.close();
        redis.close();
    }

    private List<String> lines(String part) {
        return log.all().stream().filter(line -> line.contains(part)).toList();
    }

    private static Duration time(Runnable call) {
        long begin = System.nanoTime();
        call.run();
        return Duration.ofNanos(System.nanoTime() - begin);
    }

    private CancelOutcome cancel() {
        return StoreContract.get(StoreCalls.cancel(store, SHARD, "a"));
    }

    private void assertUnavailable() {
        assertThatExceptionOfType(TaskStoreUnavailableException.class)
                .isThrownBy(this::cancel)
                .matches(ex -> !ex.mayHaveBeenApplied());
    }

    @Test
    void callsWhileTheServerRefusesConnectionsFailAtOnceAndTheLogSaysWhenItBeginsAndEnds() {
        assertThat(cancel()).isEqualTo(CancelOutcome.NOT_FOUND);
        redis.server().kill();

        assertThat(time(this::assertUnavailable)).as("the first call").isLessThan(Duration.ofMillis(1_200));
        await().atMost(Duration.ofSeconds(2))
                .untilAsserted(
                        () -> assertThat(lines("cannot be reached; until")).hasSize(1));
        assertThat(time(() -> {
                    for (int i = 0; i < 50; i++) {
                        assertUnavailable();
                    }
                }))
                .as("50 calls, one after the other")
                .isLessThan(Duration.ofSeconds(1));

        redis.server().restart();
        await().atMost(Duration.ofSeconds(3))
                .untilAsserted(() -> assertThat(lines("is reachable again")).hasSize(1));
        assertThat(cancel()).isEqualTo(CancelOutcome.NOT_FOUND);
        assertThat(lines("cannot be reached; until")).hasSize(1);
    }

    /** As Lettuce does when it gives a connection up; it does not reconnect that one. */
    @Test
    void callsWhenTheConnectionWasClosedForGoodTakeANewOne() {
        cancel();
        connections.shared().join().close();

        await().atMost(Duration.ofSeconds(5))
                .ignoreExceptionsInstanceOf(TaskStoreUnavailableException.class)
                .until(this::cancel, CancelOutcome.NOT_FOUND::equals);
    }

    @Test
    void warningWhenNobodyCallsComesWithinTwoSecondsAndTheConnectionComesBackByItself() {
        cancel();
        redis.server().kill();

        await().atMost(Duration.ofSeconds(2))
                .untilAsserted(
                        () -> assertThat(lines("cannot be reached; until")).hasSize(1));
        redis.server().restart();

        await().atMost(Duration.ofSeconds(3))
                .untilAsserted(() -> assertThat(lines("is reachable again")).hasSize(1));
        assertThat(time(this::cancel)).isLessThan(Duration.ofSeconds(1));
    }

    @Test
    void callsThatAskForReplicasWhileTheServerRefusesConnectionsFailAtOnceToo() {
        cancel();
        StoreContract.get(store.tasks().cancel(SHARD, ShardingVersion.NONE, "a", null, 1));
        redis.server().kill();
        await().atMost(Duration.ofSeconds(2))
                .untilAsserted(
                        () -> assertThat(lines("cannot be reached; until")).hasSize(1));

        assertThat(time(() -> assertThatExceptionOfType(TaskStoreUnavailableException.class)
                        .isThrownBy(() ->
                                StoreContract.get(store.tasks().cancel(SHARD, ShardingVersion.NONE, "a", null, 1)))))
                .isLessThan(Duration.ofMillis(800));
    }

    @Test
    void applicationWhenItStopsSaysNothingOfALostServer() {
        cancel();
        redis.closeConnections();

        await().during(Duration.ofMillis(800))
                .atMost(Duration.ofSeconds(10))
                .untilAsserted(() -> assertThat(lines("cannot be reached")).isEmpty());
    }

    /** A caller who ignores the result of a call for many must not lose them. */
    @Test
    void callsForManyTasksWhileTheServerIsDownThrowAndTellTheOutcomeOfEach() {
        QueueCatalog queues = new QueueCatalog(List.of(QueueSettingsBuilder.withDefaults("orders")));
        DelayQueueTemplate template = new DelayQueueTemplate(
                store,
                queues,
                new PayloadCodecs(List.of(new JacksonPayloadCodec(new JsonMapper()))),
                TaskBounds.DEFAULT);
        List<String> ids = List.of("a", "b", "c");
        List<ScheduleRequest<Object>> requests = ids.stream()
                .map(id -> requestTo("orders", id, "x", Duration.ofHours(1)))
                .toList();
        assertThat(template.scheduleAll(requests)).hasSize(3);
        redis.server().kill();

        for (ThrowingCallable call : List.<ThrowingCallable>of(
                () -> template.scheduleAll(requests),
                () -> template.cancel("orders", ids),
                () -> template.reschedule("orders", ids, Due.now()))) {
            assertThatExceptionOfType(BatchFailedException.class)
                    .isThrownBy(call)
                    .withMessageContaining("3 of 3 tasks failed")
                    .withCauseInstanceOf(TaskStoreException.class)
                    .satisfies(ex -> assertThat(ex.failed())
                            .extracting(BatchFailedException.Line::id)
                            .containsExactlyElementsOf(ids));
        }
    }
}
