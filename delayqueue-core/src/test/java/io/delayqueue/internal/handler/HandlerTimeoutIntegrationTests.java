// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.handler;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.delayqueue.CancelOutcome;
import io.delayqueue.FoundTask;
import io.delayqueue.LogEvents;
import io.delayqueue.TaskState;
import io.delayqueue.delivery.Outcome;
import io.delayqueue.handler.HandlerOptions;
import io.delayqueue.handler.RetryLaterException;
import io.delayqueue.handler.TaskHandler;
import io.delayqueue.trigger.TriggerFixture;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HandlerTimeoutIntegrationTests {

    private static final String QUEUE = TriggerFixture.QUEUE;
    private static final Duration TIMEOUT = Duration.ofMillis(300);

    private final TriggerFixture fixture = new TriggerFixture();
    private final LogEvents log = new LogEvents();
    private final List<String> handled = new CopyOnWriteArrayList<>();
    private final AtomicBoolean over = new AtomicBoolean();
    private RegisteredHandlers registry;

    @BeforeEach
    void start() {
        fixture.maxIdleInterval = Duration.ofMillis(200);
        restart(1);
    }

    private void restart(int maxAttempts) {
        fixture.maxAttempts = maxAttempts;
        registry = new RegisteredHandlers(
                fixture.context(), new DelayedTasks(fixture.codecs()), ObservationRegistry.NOOP, FailurePolicy.DEFAULT);
        registry.start();
    }

    @AfterEach
    void close() {
        over.set(true);
        log.close();
        registry.stop();
        fixture.close();
    }

    @Test
    void timeoutWhenAHandlerHangsInterruptsItAndFailsTheAttempt() {
        List<Boolean> interrupted = new CopyOnWriteArrayList<>();
        register(task -> {
            interrupted.add(Thread.currentThread().isInterrupted());
            if (task.payload().equals("hang")) {
                new CountDownLatch(1).await();
            }
            handled.add(task.payload());
        });
        String hanging = schedule("hang");
        FoundTask<String> dead = awaitDead(hanging);
        assertThat(dead.lastReason()).hasValue("timed out after 300 ms");
        assertThat(dead.failures()).isEqualTo(1);
        schedule("next");
        await().atMost(Duration.ofSeconds(10)).until(() -> handled.contains("next"));
        assertThat(interrupted).as("the thread goes on untouched").containsExactly(false, false);
        assertThat(log.of(Level.ERROR)).singleElement().satisfies(line -> {
            assertThat(line.getThrowableProxy().getClassName()).isEqualTo(HandlerTimeoutException.class.getName());
            assertThat(stack(line)).as("where it hung").contains("CountDownLatch.await");
            assertThat(line.getThrowableProxy().getSuppressed()[0].getClassName())
                    .isEqualTo(InterruptedException.class.getName());
        });
    }

    @Test
    void timeoutWhenAStageGoesOnLeavesOpenWhetherItsWorkWillBeDone() {
        HandlerOptions anHourLater = HandlerOptions.builder()
                .concurrency(1)
                .timeout(TIMEOUT)
                .errorHandler((delivery, error) -> {
                    throw new RetryLaterException("later", Duration.ofHours(1));
                })
                .build();
        restart(3);
        registry.registerAsync(
                QUEUE,
                String.class,
                task -> {
                    if (task.payload().equals("ends")) {
                        new CountDownLatch(1).await();
                    }
                    return new CompletableFuture<>();
                },
                anHourLater);
        String goesOn = schedule("goes on");
        String ends = schedule("ends");
        awaitFailed(goesOn);
        awaitFailed(ends);
        assertThat(fixture.template().cancel(QUEUE, ends)).isEqualTo(CancelOutcome.CANCELLED);
        assertThat(fixture.template().cancel(QUEUE, goesOn)).isEqualTo(CancelOutcome.IN_FLIGHT);
    }

    @Test
    void timeoutWhenAHandlerIgnoresTheInterruptHasItsThreadReplacedAndTheLeaseIsLost() {
        List<Boolean> lost = new CopyOnWriteArrayList<>();
        register(task -> {
            if (task.payload().startsWith("hang")) {
                spin();
                lost.add(task.lease().isLost());
            }
            handled.add(task.payload());
        });
        fixture.template()
                .schedule(requestTo(QUEUE, "hang 1", java.time.Instant.now().minusSeconds(60)));
        schedule("behind");
        await().atMost(Duration.ofSeconds(10)).until(() -> handled.contains("behind"));
        assertThat(handled).as("while the first one hangs").containsExactly("behind");
        ILoggingEvent report = log.of(Level.ERROR).get(0);
        assertThat(report.getFormattedMessage()).contains("is still running", "Another thread replaces 'delayqueue-");
        assertThat(stack(report)).contains("HandlerTimeoutIntegrationTests.spin");

        String second = schedule("hang 2");
        assertThat(awaitDead(second).lastReason()).hasValue("timed out after 300 ms");
        schedule("stuck");
        await().during(Duration.ofMillis(700)).until(() -> !handled.contains("stuck"));
        assertThat(log.of(Level.ERROR))
                .as("one may hang beside the one thread")
                .anySatisfy(line -> assertThat(line.getFormattedMessage()).contains("is not replaced"));

        over.set(true);
        await().atMost(Duration.ofSeconds(10)).until(() -> handled.contains("stuck"));
        await().atMost(Duration.ofSeconds(10)).until(() -> lost.size() == 2);
        assertThat(lost).containsOnly(true);
    }

    @Test
    void timeoutWhenTheErrorHandlerSettlesAnAbandonedTaskStillLeavesOpenWhetherItRuns() {
        restart(3);
        registry.register(
                QUEUE,
                String.class,
                task -> spin(),
                HandlerOptions.builder()
                        .timeout(TIMEOUT)
                        .errorHandler((delivery, error) ->
                                delivery.settle(Outcome.failed("own").retryAfter(Duration.ofHours(1))))
                        .build());
        String hanging = schedule("hang");
        awaitFailed(hanging);
        assertThat(fixture.template().cancel(QUEUE, hanging)).isEqualTo(CancelOutcome.IN_FLIGHT);
    }

    @Test
    void timeoutWhenAReplacedHandlerHangsDoesNotHoldUpAStop() {
        register(task -> spin());
        awaitDead(schedule("hang"));
        long begin = System.nanoTime();
        registry.stop();
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(fixture.shutdownTimeout);
    }

    private void spin() {
        while (!over.get()) {
            Thread.onSpinWait();
        }
    }

    private static String stack(ILoggingEvent line) {
        return Arrays.toString(line.getThrowableProxy().getStackTraceElementProxyArray());
    }

    private void register(TaskHandler<String> handler) {
        registry.register(
                QUEUE,
                String.class,
                handler,
                HandlerOptions.builder().concurrency(1).timeout(TIMEOUT).build());
    }

    private String schedule(String payload) {
        return fixture.template()
                .schedule(requestTo(QUEUE, payload, Duration.ZERO))
                .id();
    }

    private Optional<FoundTask<String>> find(String id) {
        return fixture.template().find(QUEUE, id, String.class);
    }

    private void awaitFailed(String id) {
        await().atMost(Duration.ofSeconds(15))
                .until(
                        () -> find(id).orElseThrow(),
                        task -> task.failures() == 1 && task.state() == TaskState.SCHEDULED);
    }

    private FoundTask<String> awaitDead(String id) {
        return await().atMost(Duration.ofSeconds(15))
                .until(() -> find(id).orElse(null), task -> task != null && task.state() == TaskState.DEAD);
    }
}
