// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.handler;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.handler.HandlerRegistration;
import io.delayqueue.handler.TaskHandler;
import io.delayqueue.trigger.TriggerFixture;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.support.GenericApplicationContext;

/** A stop from a handler does not wait for this handler, but a later stop does. */
class StopFromAHandlerIntegrationTests {

    private static final String QUEUE = TriggerFixture.QUEUE;
    private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(20);
    private static final Duration AT_ONCE = Duration.ofSeconds(5);

    private final TriggerFixture fixture = new TriggerFixture();
    private final GenericApplicationContext application = new GenericApplicationContext();
    private final AtomicReference<HandlerRegistration> registration = new AtomicReference<>();
    private final AtomicInteger handled = new AtomicInteger();
    private RegisteredHandlers registry;

    @BeforeEach
    void start() {
        fixture.shutdownTimeout = SHUTDOWN_TIMEOUT;
        fixture.threads = 2;
        fixture.batchSize = 1;
        fixture.lease = Duration.ofSeconds(2);
        registry = new RegisteredHandlers(
                fixture.context(), new DelayedTasks(fixture.codecs()), ObservationRegistry.NOOP, FailurePolicy.DEFAULT);
        application.registerBean(RegisteredHandlers.class, () -> registry);
        application.refresh();
    }

    @AfterEach
    void close() {
        application.close();
        fixture.close();
    }

    @Test
    void stopWhenAHandlerCallsItReturnsAtOnceAndTheHandlerGoesOnUnderItsLease() {
        CompletableFuture<Duration> stopped = new CompletableFuture<>();
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        register(task -> {
            handled.incrementAndGet();
            stopped.complete(took(() -> registration.get().stop()));
            interrupted.complete(Thread.currentThread().isInterrupted());
            pause(fixture.lease.multipliedBy(2));
            assertThat(task.lease().isLost()).isFalse();
        });
        schedule("x");
        assertThat(stopped)
                .succeedsWithin(SHUTDOWN_TIMEOUT.multipliedBy(2))
                .satisfies(time -> assertThat(time).isLessThan(AT_ONCE));
        assertThat(interrupted).succeedsWithin(AT_ONCE).isEqualTo(false);
        await().atMost(Duration.ofSeconds(10)).until(() -> live() == 0);
        assertThat(handled).hasValue(1);
    }

    @Test
    void stopWhenAHandlerCallsItWaitsForTheOthers() {
        CountDownLatch otherRuns = new CountDownLatch(1);
        CompletableFuture<Boolean> otherHasEnded = new CompletableFuture<>();
        AtomicInteger ended = new AtomicInteger();
        register(task -> {
            if (task.payload().equals("other")) {
                otherRuns.countDown();
                pause(Duration.ofSeconds(1));
                ended.incrementAndGet();
            } else {
                otherRuns.await();
                registration.get().stop();
                otherHasEnded.complete(ended.get() == 1);
            }
        });
        schedule("other");
        schedule("x");
        assertThat(otherHasEnded)
                .succeedsWithin(SHUTDOWN_TIMEOUT.multipliedBy(2))
                .isEqualTo(true);
        await().atMost(Duration.ofSeconds(10)).until(() -> live() == 0);
    }

    @Test
    void startWhenAHandlerHasStoppedItsTriggerTakesTasksAgain() {
        register(task -> {
            if (handled.incrementAndGet() == 1) {
                registration.get().stop();
                registration.get().start();
            }
        });
        schedule("x");
        schedule("y");
        await().atMost(AT_ONCE).until(() -> live() == 0);
        assertThat(handled).hasValue(2);
    }

    @Test
    void closeOfTheApplicationWhenAHandlerCallsItReturnsAtOnce() {
        CompletableFuture<Duration> closed = new CompletableFuture<>();
        register(task -> closed.complete(took(application::close)));
        schedule("x");
        assertThat(closed)
                .succeedsWithin(SHUTDOWN_TIMEOUT.multipliedBy(2))
                .satisfies(time -> assertThat(time).isLessThan(AT_ONCE));
    }

    @Test
    void closeOfTheApplicationWhenAHandlerHasStoppedItsTriggerWaitsForTheHandler() {
        assertCloseWaits(() -> registration.get().stop(), application::close);
    }

    @Test
    void closeOfTheEngineWhenAHandlerHasClosedItsRegistrationWaitsForTheHandler() {
        assertCloseWaits(
                () -> registration.get().close(),
                () -> fixture.context().engine().close());
    }

    @Test
    void closeOfTheApplicationWhenAnotherThreadIsStoppingTheTriggerWaitsForTheHandler() {
        AtomicReference<CompletableFuture<Void>> stop = new AtomicReference<>();
        assertCloseWaits(
                () -> {
                    stop.set(CompletableFuture.runAsync(() -> registration.get().stop()));
                    await().until(() -> !registration.get().isRunning());
                },
                application::close);
        assertThat(stop.get()).succeedsWithin(AT_ONCE);
    }

    @Test
    void stopWhenTwoHandlersCallItDoesNotMakeThemWaitForEachOther() {
        CountDownLatch bothRun = new CountDownLatch(2);
        register(task -> {
            bothRun.countDown();
            bothRun.await();
            registration.get().stop();
        });
        schedule("x");
        schedule("y");
        await().atMost(AT_ONCE).until(() -> live() == 0);
    }

    /** @param stopping run by a handler, which then works until the test has seen that {@code close} waits for it */
    private void assertCloseWaits(Runnable stopping, Runnable close) {
        CompletableFuture<Void> stopped = new CompletableFuture<>();
        CountDownLatch mayEnd = new CountDownLatch(1);
        register(task -> {
            stopping.run();
            stopped.complete(null);
            mayEnd.await();
            handled.incrementAndGet();
        });
        schedule("x");
        assertThat(stopped).succeedsWithin(AT_ONCE);
        CompletableFuture<Void> closed = CompletableFuture.runAsync(close);
        assertThat(closed).failsWithin(Duration.ofMillis(500)).withThrowableOfType(TimeoutException.class);
        mayEnd.countDown();
        assertThat(closed).succeedsWithin(AT_ONCE);
        assertThat(handled).hasValue(1);
        assertThat(live()).isZero();
    }

    private void register(TaskHandler<String> handler) {
        registration.set(registry.register(QUEUE, String.class, handler));
    }

    private static Duration took(Runnable step) {
        long begin = System.nanoTime();
        step.run();
        return Duration.ofNanos(System.nanoTime() - begin);
    }

    private static void pause(Duration time) throws InterruptedException {
        assertThat(new CountDownLatch(1).await(time.toMillis(), TimeUnit.MILLISECONDS))
                .isFalse();
    }

    private void schedule(String payload) {
        fixture.template().schedule(requestTo(QUEUE, payload, Duration.ZERO));
    }

    private long live() {
        return fixture.redis
                .store()
                .shards()
                .stats(new io.delayqueue.internal.store.Shard(QUEUE, 0))
                .join()
                .live();
    }
}
