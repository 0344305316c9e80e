// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.client;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.delayqueue.BatchFailedException;
import io.delayqueue.CancelOutcome;
import io.delayqueue.Due;
import io.delayqueue.InvalidTaskException;
import io.delayqueue.ScheduleOutcome;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.ScheduleResult;
import io.delayqueue.TaskStoreBusyException;
import io.delayqueue.TaskStoreTimeoutException;
import io.delayqueue.codec.JacksonPayloadCodec;
import io.delayqueue.internal.codec.PayloadCodecs;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.QueueSettingsBuilder;
import io.delayqueue.internal.queue.TaskBounds;
import io.delayqueue.internal.redis.StoreFixture;
import io.delayqueue.internal.sharding.Shardings;
import io.delayqueue.internal.store.Shard;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class SharedCallsIntegrationTests {

    private static final Shard SHARD = new Shard("orders", 0);
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final Duration SHORT = Duration.ofMillis(700);
    private static final Duration HOLD = Duration.ofMillis(300);
    /** Long enough for a slow machine to start many threads, or to write many large payloads. */
    private static final Duration LONG_HOLD = Duration.ofSeconds(2);

    private final StoreFixture redis = new StoreFixture(TIMEOUT);
    private final DelayQueueTemplate template = template(redis, new ClientOptions(TIMEOUT, 10_000));

    private static DelayQueueTemplate template(StoreFixture redis, ClientOptions options) {
        QueueCatalog queues = new QueueCatalog(List.of(QueueSettingsBuilder.withDefaults("orders")));
        return new DelayQueueTemplate(
                redis.store(),
                queues,
                Shardings.fixed(queues),
                new PayloadCodecs(List.of(new JacksonPayloadCodec(new JsonMapper()))),
                TaskBounds.DEFAULT,
                options);
    }

    @AfterEach
    void close() {
        redis.close();
    }

    private static ScheduleRequest<?> request(String id, Object payload) {
        return requestTo("orders", id, payload, Duration.ofHours(1));
    }

    private CompletableFuture<ScheduleResult> send(ScheduleRequest<?> request) {
        return template.async().schedule(request).toCompletableFuture();
    }

    private String payload(String id) {
        return template.find("orders", id, String.class).orElseThrow().payload();
    }

    /** So that the script is known to the server and the connection open. */
    private long callsSoFar() {
        template.schedule(request("warm", "x"));
        return redis.scriptCalls();
    }

    @Test
    void scheduleWhenManyThreadsCallTogetherSharesScriptCalls() throws Exception {
        int threads = 64;
        ExecutorService callers = Executors.newFixedThreadPool(threads);
        try {
            long before = callsSoFar();
            redis.holdScripts(LONG_HOLD);
            List<Future<ScheduleResult>> calls = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                ScheduleRequest<?> request = request("t" + i, "payload " + i);
                calls.add(callers.submit(() -> template.schedule(request)));
            }
            for (int i = 0; i < threads; i++) {
                ScheduleResult result = calls.get(i).get(5, TimeUnit.SECONDS);
                assertThat(result.id()).isEqualTo("t" + i);
                assertThat(result.outcome()).isEqualTo(ScheduleOutcome.CREATED);
            }
            assertThat(redis.scriptCalls() - before).isLessThan(threads / 4);
            for (int i = 0; i < threads; i++) {
                assertThat(payload("t" + i)).isEqualTo("payload " + i);
            }
        } finally {
            callers.shutdownNow();
        }
    }

    @Test
    void scheduleAsyncWhenOneIdComesAgainAndAgainStoresInTheOrderOfTheCalls() {
        callsSoFar();
        redis.holdScripts(HOLD);
        for (int i = 0; i < ShardBatcher.SHARED_CALLS; i++) {
            send(request("first" + i, "so that those that follow wait for one call"));
        }
        List<CompletableFuture<ScheduleResult>> stages = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            stages.add(send(request("same", "payload " + i)));
            stages.add(send(request("other" + i, "x")));
        }
        assertThat(stages.get(0).join().outcome()).isEqualTo(ScheduleOutcome.CREATED);
        for (int i = 1; i < 20; i++) {
            assertThat(stages.get(2 * i).join().outcome()).isEqualTo(ScheduleOutcome.REPLACED);
            assertThat(stages.get(2 * i + 1).join().outcome()).isEqualTo(ScheduleOutcome.CREATED);
        }
        assertThat(payload("same")).isEqualTo("payload 19");
        assertThat(redis.brokenInvariant(SHARD)).isEmpty();
    }

    @Test
    void scheduleAsyncWhenTheServerRefusesOneTaskOfACallStoresTheOthers() {
        callsSoFar();
        redis.holdScripts(HOLD);
        List<CompletableFuture<ScheduleResult>> good = new ArrayList<>();
        CompletableFuture<ScheduleResult> bad = null;
        for (int i = 0; i < 30; i++) {
            good.add(send(request("good" + i, "x")));
            if (i == 15) {
                bad = send(ScheduleRequest.to("orders")
                        .id("bad")
                        .payload("x")
                        .due(new Due(true, Due.MAX_EPOCH_MILLIS))
                        .build());
            }
        }
        assertThat(good).allSatisfy(stage -> assertThat(stage.join().outcome()).isEqualTo(ScheduleOutcome.CREATED));
        assertThat(bad)
                .failsWithin(TIMEOUT)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(InvalidTaskException.class)
                .withMessageContaining("'orders'")
                .withMessageContaining("'bad'");
        assertThat(redis.index(SHARD)).hasSize(31).doesNotContainKey("bad");
    }

    @Test
    void callsWhenTheServerDoesNotAnswerFailInTimeEachWithItsOwnName() {
        try (StoreFixture redis = new StoreFixture(SHORT)) {
            DelayQueueTemplate template = template(redis, new ClientOptions(SHORT, 100));
            template.schedule(request("warm", "x"));
            redis.holdScripts(SHORT.multipliedBy(2).plusMillis(300));
            List<CompletableFuture<ScheduleResult>> stages = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                stages.add(template.async().schedule(request("t" + i, "x")).toCompletableFuture());
            }
            // Sent when the first calls are given up, and given up itself before its own call is.
            Duration waited = CompletableFuture.supplyAsync(
                            () -> {
                                long begun = System.nanoTime();
                                assertThatThrownBy(() -> template.schedule(request("waits", "x")))
                                        .isInstanceOf(TaskStoreTimeoutException.class)
                                        .hasMessageContaining("'orders'")
                                        .hasMessageContaining("'waits'");
                                return Duration.ofNanos(System.nanoTime() - begun);
                            },
                            CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS))
                    .join();
            assertThat(waited).isLessThan(SHORT.plusMillis(400));
            for (int i = 0; i < 30; i++) {
                assertThat(stages.get(i))
                        .failsWithin(TIMEOUT)
                        .withThrowableThat()
                        .havingCause()
                        .isInstanceOf(TaskStoreTimeoutException.class)
                        .withMessageContaining("'orders'")
                        .withMessageContaining("'t" + i + "'");
            }
        }
    }

    @Test
    void scheduleAsyncWhenTheTasksAreLargeCutsTheCalls() {
        long before = callsSoFar();
        redis.holdScripts(LONG_HOLD);
        List<CompletableFuture<ScheduleResult>> stages = new ArrayList<>();
        for (int i = 0; i < 24; i++) {
            stages.add(send(request("t" + i, "x".repeat(256 * 1024))));
        }
        stages.forEach(CompletableFuture::join);
        assertThat(redis.scriptCalls() - before).isBetween(24L / 4, 24L / 2);
    }

    @Test
    void stagesWhenTheyCompleteDoSoOnThreadsOfTheLibraryAndMayWaitForEachOther() {
        callsSoFar();
        redis.holdScripts(HOLD);
        Set<String> threads = ConcurrentHashMap.newKeySet();
        List<CompletableFuture<ScheduleResult>> stages = new ArrayList<>();
        IntStream.range(0, 100).forEach(i -> stages.add(send(request("t" + i, "x"))));
        List<CompletableFuture<ScheduleResult>> chained = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            CompletableFuture<ScheduleResult> last = stages.get(99 - i);
            chained.add(stages.get(i).thenApply(result -> {
                threads.add(Thread.currentThread().getName());
                template.schedule(request("from-" + result.id(), "x"));
                return last.join();
            }));
        }
        CompletableFuture<CancelOutcome> cancelled =
                template.async().cancel("orders", "warm").toCompletableFuture();
        CompletableFuture<String> cancelThread =
                cancelled.thenApply(outcome -> Thread.currentThread().getName());
        assertThat(CompletableFuture.allOf(chained.toArray(CompletableFuture[]::new)))
                .succeedsWithin(Duration.ofSeconds(5));
        assertThat(cancelThread.join()).startsWith("delayqueue-client-");
        assertThat(cancelled.join()).isEqualTo(CancelOutcome.CANCELLED);
        assertThat(threads).allSatisfy(name -> assertThat(name).startsWith("delayqueue-client-"));
        assertThat(redis.index(SHARD)).hasSize(200);
    }

    @Test
    void scheduleAsyncWhenTooMuchWaitsIsRefusedAndThenTakenAgain() {
        callsSoFar();
        DelayQueueTemplate narrow = template(redis, new ClientOptions(TIMEOUT, 3));
        redis.holdScripts(HOLD);
        List<CompletableFuture<ScheduleResult>> taken = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            taken.add(narrow.async().schedule(request("t" + i, "x")).toCompletableFuture());
        }
        assertThat(narrow.async().schedule(request("refused", "x")).toCompletableFuture())
                .isCompletedExceptionally()
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOfSatisfying(
                        TaskStoreBusyException.class,
                        busy -> assertThat(busy.mayHaveBeenApplied()).isFalse())
                .withMessageContaining("'refused'")
                .withMessageContaining("delayqueue.redis.request-queue-size");
        taken.forEach(CompletableFuture::join);
        assertThat(narrow.async().schedule(request("taken", "x")).toCompletableFuture())
                .succeedsWithin(TIMEOUT);
        assertThat(redis.index(SHARD)).containsKeys("t0", "t1", "t2", "taken").doesNotContainKey("refused");
    }

    @Test
    void scheduleAsyncWhenTheRequestQueueIsFullSaysSoToTasksThatWaitedTheirTurnToo() {
        Duration timeout = Duration.ofSeconds(2);
        try (StoreFixture full = new StoreFixture(timeout, 2)) {
            DelayQueueTemplate narrow = template(full, new ClientOptions(timeout, 100));
            narrow.schedule(request("warm", "x"));
            narrow.cancel("orders", "warm");
            full.holdScripts(timeout.multipliedBy(3));
            narrow.async().cancel("orders", "a");
            narrow.async().cancel("orders", "b");
            narrow.async().schedule(request("t0", "x"));
            narrow.async().schedule(request("t1", "x"));
            long begun = System.nanoTime();
            await().until(() -> System.nanoTime() - begun > timeout.toNanos() / 2);

            assertThat(narrow.async().schedule(request("waits", "x")).toCompletableFuture())
                    .failsWithin(TIMEOUT)
                    .withThrowableThat()
                    .havingCause()
                    .isInstanceOfSatisfying(
                            TaskStoreBusyException.class,
                            busy -> assertThat(busy.mayHaveBeenApplied()).isFalse())
                    .withMessageContaining("'waits'")
                    .withMessageContaining("delayqueue.redis.request-queue-size");
        }
    }

    @Test
    void scheduleAllWhenOneTaskIsRefusedStoresTheOthers() {
        ScheduleRequest<?> bad = ScheduleRequest.to("orders")
                .id("bad")
                .payload("x")
                .due(new Due(true, Due.MAX_EPOCH_MILLIS))
                .build();

        assertThatExceptionOfType(BatchFailedException.class)
                .isThrownBy(() -> template.scheduleAll(List.of(request("t0", "x"), bad, request("t1", "x"))))
                .withMessageContaining("1 of 3 tasks failed, the first of them 'bad'")
                .withCauseInstanceOf(InvalidTaskException.class)
                .satisfies(ex -> {
                    assertThat(ex.lines())
                            .extracting(BatchFailedException.Line::outcome)
                            .containsExactly(ScheduleOutcome.CREATED, null, ScheduleOutcome.CREATED);
                    assertThat(ex.failed())
                            .extracting(BatchFailedException.Line::id)
                            .containsExactly("bad");
                });
        assertThat(redis.index(SHARD)).containsOnlyKeys("t0", "t1");
    }

    @Test
    void scheduleAllWhenIdsComeAgainInLaterCallsLetsTheLaterWin() {
        int ids = 700;
        List<ScheduleRequest<?>> requests = new ArrayList<>();
        for (int i = 0; i < 3 * ids; i++) {
            requests.add(request("t" + i % ids, "payload " + i));
        }
        List<ScheduleResult> results = template.scheduleAll(requests);
        assertThat(results.subList(0, ids)).extracting(ScheduleResult::outcome).containsOnly(ScheduleOutcome.CREATED);
        assertThat(results.subList(ids, 3 * ids))
                .extracting(ScheduleResult::outcome)
                .containsOnly(ScheduleOutcome.REPLACED);
        for (int i : List.of(0, 1, 127, 128, 499, 500, 698, 699)) {
            assertThat(payload("t" + i)).isEqualTo("payload " + (2 * ids + i));
        }
        assertThat(redis.index(SHARD)).hasSize(ids);
    }
}
