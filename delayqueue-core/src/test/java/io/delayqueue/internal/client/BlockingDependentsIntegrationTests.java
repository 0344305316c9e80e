// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.client;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayqueue.CancelOutcome;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.ScheduleResult;
import io.delayqueue.TaskStoreBusyException;
import io.delayqueue.TaskStoreTimeoutException;
import io.delayqueue.codec.JacksonPayloadCodec;
import io.delayqueue.internal.calls.BoundedStages;
import io.delayqueue.internal.codec.PayloadCodecs;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.QueueSettingsBuilder;
import io.delayqueue.internal.queue.TaskBounds;
import io.delayqueue.internal.redis.StoreFixture;
import io.delayqueue.internal.sharding.Shardings;
import io.delayqueue.internal.store.InterceptedStore;
import io.delayqueue.internal.store.TaskStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** Dependents of stages block; everything that does not depend on them continues. */
class BlockingDependentsIntegrationTests {

    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    /** A loaded machine may take its time, but not as much as a second time-out. */
    private static final Duration MOST = TIMEOUT.plusSeconds(1);

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration LOAD = Duration.ofSeconds(4);

    private final StoreFixture redis = new StoreFixture(TIMEOUT);
    private final DelayQueueTemplate template = template(redis, TIMEOUT, 10_000);
    /** For thousands of threads on a machine with few cores. */
    private final StoreFixture patientRedis = new StoreFixture(PATIENCE);

    private final DelayQueueTemplate patient = template(patientRedis, PATIENCE, 10_000);
    private final CountDownLatch released = new CountDownLatch(1);
    private final ExecutorService callers = Executors.newCachedThreadPool();

    private static DelayQueueTemplate template(StoreFixture redis, Duration timeout, int mostPending) {
        return template(redis.store(), timeout, mostPending);
    }

    private static DelayQueueTemplate template(TaskStore store, Duration timeout, int mostPending) {
        QueueCatalog queues = new QueueCatalog(List.of(QueueSettingsBuilder.withDefaults("orders")));
        return new DelayQueueTemplate(
                store,
                queues,
                Shardings.fixed(queues),
                new PayloadCodecs(List.of(new JacksonPayloadCodec(new JsonMapper()))),
                TaskBounds.DEFAULT,
                new ClientOptions(timeout, mostPending));
    }

    @AfterEach
    void close() {
        released.countDown();
        callers.shutdownNow();
        redis.close();
        patientRedis.close();
    }

    private static ScheduleRequest<?> request(String id) {
        return requestTo("orders", id, "x", Duration.ofHours(1));
    }

    private void block() {
        try {
            released.await();
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns a store during whose calls others offer more, so that the sending thread has to send repeatedly. */
    private TaskStore whileOthersOffer(Runnable offer) {
        return InterceptedStore.around(redis.store(), (target, method, arguments) -> {
            Object answer = method.invoke(target, arguments);
            boolean ofTheDriver = Thread.currentThread().getName().startsWith("lettuce");
            if (answer instanceof CompletableFuture<?> call && method.getName().equals("schedule") && !ofTheDriver) {
                call.join();
                offer.run();
            }
            return answer;
        });
    }

    @Test
    void scheduleWhenTheSendingForOthersWasHandedOverEndsInTime() throws Exception {
        AtomicInteger more = new AtomicInteger();
        AtomicReference<DelayQueueTemplate> busy = new AtomicReference<>();
        busy.set(template(
                whileOthersOffer(() -> {
                    int left = more.getAndDecrement();
                    if (left > 0) {
                        busy.get().async().schedule(request("more" + left));
                    }
                }),
                TIMEOUT,
                10_000));
        AtomicInteger blocked = new AtomicInteger();
        busy.get().schedule(request("warm"));
        redis.holdScripts(Duration.ofMillis(300));
        for (int i = 0; i < 50; i++) {
            busy.get().async().cancel("orders", "a" + i).thenRun(() -> {
                blocked.incrementAndGet();
                block();
            });
        }
        Awaitility.await().until(() -> blocked.get() >= 2);

        more.set(20);
        busy.get().schedule(request("first"));

        Future<ScheduleResult> next = callers.submit(() -> busy.get().schedule(request("next")));
        assertThat(next.get(MOST.toMillis(), TimeUnit.MILLISECONDS).id()).isEqualTo("next");
    }

    /** On a loaded machine not all are in time. */
    private void scheduleOrBeLate(ScheduleRequest<?> request) {
        try {
            template.schedule(request);
        } catch (TaskStoreTimeoutException late) {
            assertThat(late).hasMessageContaining("in time");
        }
    }

    @Test
    void scheduleWhenDependentsOfOtherCallsBlockEndsInTime() throws Exception {
        List<CompletableFuture<Void>> blocked = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            blocked.add(template.async()
                    .schedule(request("a" + i))
                    .toCompletableFuture()
                    .thenAccept(result -> block()));
        }
        List<Future<Long>> longest = new ArrayList<>();
        for (int thread = 0; thread < 64; thread++) {
            String name = "s" + thread + "-";
            longest.add(callers.submit(() -> {
                long most = 0;
                long end = System.nanoTime() + LOAD.toNanos();
                for (int i = 0; System.nanoTime() - end < 0; i++) {
                    long start = System.nanoTime();
                    scheduleOrBeLate(request(name + i));
                    most = Math.max(most, System.nanoTime() - start);
                }
                return most;
            }));
        }
        // Asynchronous calls keep those busy that send for others, so that some of that is handed over.
        for (int thread = 0; thread < 4; thread++) {
            String name = "b" + thread + "-";
            callers.submit(() -> {
                long end = System.nanoTime() + LOAD.toNanos();
                for (int i = 0; System.nanoTime() - end < 0; i++) {
                    template.async().schedule(request(name + i));
                }
            });
        }
        for (Future<Long> most : longest) {
            assertThat(Duration.ofNanos(most.get(20, TimeUnit.SECONDS))).isLessThan(MOST);
        }
        assertThat(blocked).noneMatch(CompletableFuture::isDone);
        released.countDown();
        assertThat(CompletableFuture.allOf(blocked.toArray(CompletableFuture[]::new)))
                .succeedsWithin(Duration.ofSeconds(20));
    }

    @Test
    void stagesWhenThousandsOfDependentsWaitForOtherStagesAllComplete() {
        List<CompletableFuture<CancelOutcome>> chains = new ArrayList<>();
        for (int i = 0; i < 1_500; i++) {
            String id = "t" + i;
            chains.add(patient.async()
                    .schedule(request(id))
                    .toCompletableFuture()
                    .thenApply(result -> patient.async()
                            .cancel("orders", id)
                            .thenApply(outcome -> outcome)
                            .toCompletableFuture()
                            .join()));
        }
        assertThat(CompletableFuture.allOf(chains.toArray(CompletableFuture[]::new)))
                .succeedsWithin(Duration.ofSeconds(60));
        assertThat(chains).allSatisfy(chain -> assertThat(chain.join()).isEqualTo(CancelOutcome.CANCELLED));
    }

    @Test
    void callsWhenTheTimerThatTheJvmSharesIsBlockedEndInTime() throws Exception {
        template.schedule(request("warm"));
        CompletableFuture.delayedExecutor(1, TimeUnit.MILLISECONDS, Runnable::run)
                .execute(this::block);
        redis.holdScripts(Duration.ofSeconds(6));
        List<Future<Long>> calls = new ArrayList<>();
        for (int thread = 0; thread < 16; thread++) {
            String id = "t" + thread;
            calls.add(callers.submit(() -> {
                // So that some wait for calls in progress and are never sent.
                TimeUnit.MILLISECONDS.sleep(id.hashCode() % 600);
                long start = System.nanoTime();
                assertThatThrownBy(() -> template.schedule(request(id))).isInstanceOf(TaskStoreTimeoutException.class);
                return System.nanoTime() - start;
            }));
        }
        for (Future<Long> took : calls) {
            assertThat(Duration.ofNanos(took.get(10, TimeUnit.SECONDS))).isLessThan(MOST);
        }
    }

    @Test
    void scheduleAsyncWhenTooManyDependentsBlockIsRefused() {
        int most = 300;
        DelayQueueTemplate narrow = template(redis, TIMEOUT, most);
        narrow.schedule(request("warm"));
        AtomicInteger blocked = new AtomicInteger();
        redis.holdScripts(Duration.ofMillis(500));
        for (int i = 0; i < most; i++) {
            narrow.async().schedule(request("t" + i)).thenRun(() -> {
                blocked.incrementAndGet();
                block();
            });
        }
        Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> blocked.get() == most);
        redis.holdScripts(Duration.ofMillis(500));
        for (int i = 0; i < BoundedStages.ABOUT_TO_END; i++) {
            narrow.async().schedule(request("u" + i)).thenRun(this::block);
        }

        assertThat(narrow.async().schedule(request("refused")).toCompletableFuture())
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(TaskStoreBusyException.class)
                .withMessageContaining("have not returned");

        assertThat(narrow.schedule(request("beside")).id()).isEqualTo("beside");
        released.countDown();
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(
                                narrow.async().schedule(request("again")).toCompletableFuture())
                        .succeedsWithin(TIMEOUT));
    }
}
