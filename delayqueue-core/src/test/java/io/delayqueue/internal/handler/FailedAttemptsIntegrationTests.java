// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.handler;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.delayqueue.FoundTask;
import io.delayqueue.LogEvents;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.TaskState;
import io.delayqueue.delivery.Outcome;
import io.delayqueue.handler.DelayedTask;
import io.delayqueue.handler.DeliveryErrorHandler;
import io.delayqueue.handler.FailureCounting;
import io.delayqueue.handler.HandlerOptions;
import io.delayqueue.handler.NonRetryableTaskException;
import io.delayqueue.handler.RetryLaterException;
import io.delayqueue.handler.RetrySettings;
import io.delayqueue.handler.TaskHandler;
import io.delayqueue.internal.queue.LimitSettings;
import io.delayqueue.trigger.TriggerFixture;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

class FailedAttemptsIntegrationTests {

    private static final String QUEUE = TriggerFixture.QUEUE;

    private final TriggerFixture fixture = new TriggerFixture();
    private final ObservationRegistry observations = ObservationRegistry.create();
    private final LogEvents log = new LogEvents();
    private final AtomicInteger calls = new AtomicInteger();
    private RegisteredHandlers registry;

    @AfterEach
    void close() {
        log.close();
        registry.stop();
        fixture.close();
    }

    @Test
    void failureWhenItIsNotTheLastIsAWarningWithTraceAndContextOnTheHandlersThread() {
        observations.observationConfig().observationHandler(new TraceId());
        List<String> threads = new CopyOnWriteArrayList<>();
        start(FailurePolicy.DEFAULT, task -> {
            threads.add(Thread.currentThread().getName());
            throw new IllegalStateException("no luck");
        });
        String id = schedule("x");
        awaitDead(id);

        assertThat(log.of(Level.WARN)).hasSize(2).allSatisfy(line -> {
            assertThat(line.getFormattedMessage()).contains("'" + QUEUE + "'", "'" + id + "'");
            assertThat(line.getThrowableProxy().getMessage()).isEqualTo("no luck");
            assertThat(line.getThrowableProxy()
                            .getStackTraceElementProxyArray()[0]
                            .getSTEAsString())
                    .contains(getClass().getSimpleName());
            assertThat(line.getMDCPropertyMap())
                    .containsEntry("delayqueue.queue", QUEUE)
                    .containsEntry("delayqueue.task", id)
                    .containsEntry("traceId", "t7");
        });
        assertThat(log.of(Level.WARN))
                .extracting(line -> line.getMDCPropertyMap().get("delayqueue.attempt"))
                .containsExactly("1", "2");
        assertThat(log.of(Level.ERROR))
                .as("one death, one error")
                .singleElement()
                .satisfies(line -> {
                    assertThat(line.getFormattedMessage()).contains("attempt 3", "dead");
                    assertThat(line.getThrowableProxy().getMessage()).isEqualTo("no luck");
                    assertThat(line.getThreadName()).isEqualTo(threads.get(2));
                    assertThat(line.getMDCPropertyMap())
                            .containsEntry("delayqueue.attempt", "3")
                            .containsEntry("traceId", "t7");
                });
    }

    @Test
    void failureWhenTheQueueKeepsStackTracesIsStoredWithIt() {
        fixture.stackTraceSize = 2_000;
        start(FailurePolicy.DEFAULT, task -> {
            throw new IllegalStateException("no luck", new IOException("disk"));
        });

        FoundTask<String> dead = awaitDead(schedule("x"));

        assertThat(dead.stackTrace())
                .hasValueSatisfying(trace -> assertThat(trace)
                        .startsWith("java.lang.IllegalStateException: no luck\n\tat ")
                        .contains(getClass().getSimpleName(), "\nCaused by: java.io.IOException: disk\n")
                        .hasSizeLessThanOrEqualTo(2_000));
        assertThat(dead.toString()).contains("no luck").doesNotContain("Caused by");
    }

    @Test
    void failureWhenTheQueueKeepsNoStackTracesIsStoredWithoutIt() {
        start(FailurePolicy.DEFAULT);

        assertThat(awaitDead(schedule("x")).stackTrace()).isEmpty();
    }

    @Test
    void failuresWhenTheyAreManyAreLoggedTenTimesForEachType() {
        fixture.maxAttempts = 1;
        start(FailurePolicy.DEFAULT, task -> {
            calls.incrementAndGet();
            throw task.payload().equals("a") ? new IllegalStateException() : new IllegalArgumentException();
        });
        for (int i = 0; i < 40; i++) {
            schedule(i % 2 == 0 ? "a" : "b");
        }
        await().atMost(Duration.ofSeconds(15)).until(() -> calls.get() == 40);
        registry.stop();
        assertThat(log.of(Level.ERROR))
                .extracting(line -> line.getThrowableProxy().getClassName())
                .filteredOn(name -> name.endsWith("IllegalStateException"))
                .hasSize(FailureLog.MOST_LINES);
        assertThat(log.of(Level.ERROR)).hasSize(2 * FailureLog.MOST_LINES);
    }

    @Test
    void failureWhenTheOutcomeWasCalledBeforeIsLoggedAndChangesNothing() {
        DeliveryHandler.Call settling = deliveries -> {
            deliveries.get(0).settle(Outcome.delivered());
            throw new IllegalStateException("too late");
        };
        newRegistry(FailurePolicy.DEFAULT)
                .register(QUEUE, new DeliveryHandler(settling, false, delivery -> false), HandlerOptions.DEFAULT);
        String id = schedule("x");
        await().atMost(Duration.ofSeconds(15)).until(() -> find(id).isEmpty());
        await().atMost(Duration.ofSeconds(15)).until(() -> !log.of(Level.WARN).isEmpty());
        assertThat(log.of(Level.WARN))
                .singleElement()
                .satisfies(line ->
                        assertThat(line.getThrowableProxy().getMessage()).isEqualTo("too late"));
    }

    @Test
    void errorHandlerWhenItReturnsLeavesTheFailureAsItIs() {
        List<Throwable> seen = new CopyOnWriteArrayList<>();
        start(policy((delivery, error) -> {
            seen.add(error);
            assertThat(MDC.get("delayqueue.task")).isEqualTo(delivery.id());
        }));
        FoundTask<String> dead = awaitDead(schedule("x"));
        assertThat(seen).hasSize(3);
        assertThat(dead.lastReason()).hasValue("java.lang.IllegalStateException: no luck");
    }

    @Test
    void errorHandlerWhenItThrowsDecidesWhatTheAttemptFailedWith() {
        start(policy((delivery, error) -> {
            throw new NonRetryableTaskException("translated");
        }));
        FoundTask<String> dead = awaitDead(schedule("x"));
        assertThat(dead.failures()).isEqualTo(1);
        assertThat(dead.lastReason())
                .hasValueSatisfying(reason -> assertThat(reason).endsWith("translated"));
        ILoggingEvent line = log.of(Level.ERROR).get(0);
        assertThat(line.getThrowableProxy().getSuppressed()[0].getMessage()).isEqualTo("no luck");
    }

    @Test
    void errorHandlerWhenItEndsTheDeliveryHasTheLastWord() {
        start(policy((delivery, error) -> delivery.settle(Outcome.delivered())));
        String id = schedule("x");
        await().atMost(Duration.ofSeconds(15)).until(() -> find(id).isEmpty());
        assertThat(calls).hasValue(1);
        assertThat(log.of(Level.WARN)).isEmpty();
    }

    @Test
    void errorHandlerWhenItMakesTheTaskDeadLeavesTheDeathToTheErrors() {
        start(policy((delivery, error) -> delivery.settle(Outcome.dead("own"))));
        String id = schedule("x");
        awaitDead(id);
        await().atMost(Duration.ofSeconds(15))
                .untilAsserted(() -> assertThat(log.of(Level.ERROR))
                        .singleElement()
                        .satisfies(line -> {
                            assertThat(line.getFormattedMessage()).contains("'" + id + "'", "dead");
                            assertThat(line.getThrowableProxy().getMessage()).isEqualTo("no luck");
                        }));
    }

    @Test
    void errorHandlerWhenTheHandlersOptionsNameOneIsThatOne() {
        newRegistry(policy((delivery, error) -> delivery.settle(Outcome.delivered())))
                .register(
                        QUEUE,
                        String.class,
                        this::fail,
                        HandlerOptions.builder()
                                .errorHandler((delivery, error) -> delivery.settle(Outcome.dead("own")))
                                .concurrency(1)
                                .build());
        assertThat(awaitDead(schedule("x")).lastReason()).hasValue("own");
    }

    @Test
    void failureWhenItsCauseIsNotRetryableIsDeadAtOnce() {
        start(FailurePolicy.DEFAULT, task -> {
            throw new IllegalStateException(
                    "rolled back", new RuntimeException(new NonRetryableTaskException("hopeless")));
        });
        FoundTask<String> dead = awaitDead(schedule("x"));
        assertThat(dead.failures()).isEqualTo(1);
        assertThat(dead.lastReason())
                .hasValue("java.lang.IllegalStateException: rolled back, caused by"
                        + " io.delayqueue.handler.NonRetryableTaskException: hopeless");
    }

    @Test
    void failureWhenItsCauseIsExcludedFromRetriesIsDeadAtOnce() {
        Duration delay = Duration.ofMillis(10);
        newRegistry(FailurePolicy.DEFAULT)
                .register(
                        QUEUE,
                        String.class,
                        task -> {
                            throw new IllegalStateException(new NumberFormatException("a subclass"));
                        },
                        HandlerOptions.builder()
                                .retry(new RetrySettings(3, delay, 1, delay, 0, Set.of(IllegalArgumentException.class)))
                                .build());
        assertThat(awaitDead(schedule("x")).failures()).isEqualTo(1);
    }

    @Test
    void failureWhenItAsksToBeRetriedOutweighsItsCauses() {
        start(FailurePolicy.DEFAULT, task -> {
            throw new RetryLaterException("again", Duration.ofMillis(20), new NonRetryableTaskException("inner"));
        });
        assertThat(awaitDead(schedule("x")).failures()).isEqualTo(3);
    }

    @Test
    void failureWhenItsCausesFormACircleIsOneLikeAnyOther() {
        start(FailurePolicy.DEFAULT, task -> {
            RuntimeException inner = new RuntimeException("inner");
            inner.initCause(new RuntimeException("outer", inner));
            throw inner;
        });
        assertThat(awaitDead(schedule("x")).failures()).isEqualTo(3);
    }

    @Test
    void failureWhenItCountsNothingComesAgainHoweverOften() {
        start(FailurePolicy.DEFAULT, task -> {
            assertThat(task.attempt()).isEqualTo(1);
            if (calls.incrementAndGet() <= 5) {
                throw new IllegalStateException(RetryLaterException.uncounted("busy", Duration.ofMillis(1)));
            }
        });
        long begin = System.nanoTime();
        String id = schedule("x");
        await().atMost(Duration.ofSeconds(15)).until(() -> find(id).isEmpty());
        assertThat(calls).as("three attempts would have been the last").hasValue(6);
        assertThat(Duration.ofNanos(System.nanoTime() - begin))
                .as("without a hot loop")
                .isGreaterThanOrEqualTo(Duration.ofMillis(500));
        assertThat(log.of(Level.WARN)).isEmpty();
    }

    @Test
    void failureWhenABeanSaysThatItDoesNotCountComesAgainHoweverOften() {
        FailureCounting counting = (delivery, error) -> {
            if (error instanceof ArithmeticException) {
                throw new IllegalStateException("the bean is broken");
            }
            return !(error instanceof IllegalStateException);
        };
        start(new FailurePolicy(counting, DeliveryErrorHandler.NONE), task -> {
            if (calls.incrementAndGet() <= 5) {
                throw new IllegalStateException("busy");
            }
            throw new ArithmeticException();
        });
        FoundTask<String> dead = awaitDead(schedule("x"));
        assertThat(calls).hasValue(8);
        assertThat(dead.failures()).isEqualTo(3);
    }

    @Test
    void retryLaterWhenItClosesTheKeyHoldsUpAllItsTasksAndNoOther() {
        fixture.limits = new LimitSettings(null, null, null, 1);
        Duration closed = Duration.ofSeconds(2);
        List<String> seen = new CopyOnWriteArrayList<>();
        List<Long> moments = new CopyOnWriteArrayList<>();
        start(FailurePolicy.DEFAULT, task -> {
            seen.add(task.id());
            moments.add(System.nanoTime());
            if (seen.size() == 2) {
                throw RetryLaterException.closingKey("429: asked to wait", closed);
            }
        });
        // Afterwards the server knows all scripts but the one that closes keys, which takes longest for that reason.
        fixture.redis.forgetScripts();
        String before = schedule("x");
        await().atMost(Duration.ofSeconds(15)).until(() -> find(before).isEmpty());
        for (int i = 0; i < 3; i++) {
            fixture.template()
                    .schedule(ScheduleRequest.to(QUEUE)
                            .key("partner")
                            .id("t" + i)
                            .payload("x")
                            .dueIn(Duration.ZERO)
                            .build());
        }
        await().atMost(Duration.ofSeconds(15)).until(() -> seen.size() >= 2);
        String other = schedule("x");
        await().atMost(Duration.ofSeconds(15)).until(() -> seen.size() == 6);

        assertThat(seen.subList(0, 1)).containsExactly(before);
        assertThat(seen.get(2)).isEqualTo(other);
        assertThat(seen.subList(3, 6)).containsExactlyInAnyOrder("{partner}:t0", "{partner}:t1", "{partner}:t2");
        assertThat(moments.get(3) - moments.get(1))
                .isGreaterThan(closed.minusMillis(10).toNanos());
        assertThat(log.of(Level.WARN)).isEmpty();
    }

    private static FailurePolicy policy(DeliveryErrorHandler errorHandler) {
        return new FailurePolicy(FailureCounting.ALL, errorHandler);
    }

    private void fail(DelayedTask<String> task) {
        calls.incrementAndGet();
        throw new IllegalStateException("no luck");
    }

    private void start(FailurePolicy failures) {
        start(failures, this::fail);
    }

    private void start(FailurePolicy failures, TaskHandler<String> handler) {
        newRegistry(failures).register(QUEUE, String.class, handler);
    }

    private RegisteredHandlers newRegistry(FailurePolicy failures) {
        registry =
                new RegisteredHandlers(fixture.context(), new DelayedTasks(fixture.codecs()), observations, failures);
        registry.start();
        return registry;
    }

    private String schedule(String payload) {
        return fixture.template()
                .schedule(requestTo(QUEUE, payload, Duration.ZERO))
                .id();
    }

    private Optional<FoundTask<String>> find(String id) {
        return fixture.template().find(QUEUE, id, String.class);
    }

    private FoundTask<String> awaitDead(String id) {
        return await().atMost(Duration.ofSeconds(15))
                .until(() -> find(id).orElse(null), task -> task != null && task.state() == TaskState.DEAD);
    }

    /** As a tracer does: the id is there while the scope of the observation is open. */
    private static final class TraceId implements ObservationHandler<Observation.Context> {

        @Override
        public void onScopeOpened(Observation.Context context) {
            MDC.put("traceId", "t7");
        }

        @Override
        public void onScopeClosed(Observation.Context context) {
            MDC.remove("traceId");
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return true;
        }
    }
}
