// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.handler;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.delayqueue.delivery.Delivery;
import io.delayqueue.delivery.DeliveryInterceptor;
import io.delayqueue.delivery.OpenDelivery;
import io.delayqueue.delivery.Outcome;
import io.delayqueue.handler.DelayedTask;
import io.delayqueue.handler.HandlerRegistration;
import io.delayqueue.handler.NonRetryableTaskException;
import io.delayqueue.internal.client.DelayQueueTemplate;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.engine.DeliveryCounter;
import io.delayqueue.internal.engine.DeliveryEvents;
import io.delayqueue.internal.engine.Engine;
import io.delayqueue.internal.engine.EngineHooks;
import io.delayqueue.internal.engine.InterceptorChain;
import io.delayqueue.internal.sharding.Sharding;
import io.delayqueue.internal.sharding.Shardings;
import io.delayqueue.internal.store.InterceptedStore;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.TaskStore;
import io.delayqueue.internal.trigger.TriggerContext;
import io.delayqueue.trigger.TriggerFixture;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/**
 * Every place where the engine calls what may throw: whatever it throws, tasks are handled, slots are freed and a stop
 * ends.
 */
class ThrownErrorsIntegrationTests {

    private static final String QUEUE = TriggerFixture.QUEUE;
    private static final Duration LEASE = Duration.ofSeconds(2);

    /** Logged, and no more. */
    private static final Set<String> CHANGES_NOTHING =
            Set.of("after", "error", "observation start", "observation scope", "observation stop");

    private final TriggerFixture fixture = new TriggerFixture();
    private final ObservationRegistry observations = ObservationRegistry.create();
    private final Map<String, AtomicInteger> armed = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> handled = new ConcurrentHashMap<>();
    private final FailingAppender log = new FailingAppender();
    private Engine engine;

    @AfterEach
    void close() {
        ((Logger) LoggerFactory.getLogger("io.delayqueue")).detachAppender(log);
        engine.close();
        fixture.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "acquire",
                "acquire answers",
                "acquire is not listened to",
                "serverOf",
                "settle",
                "settle answers",
                "settle is not listened to",
                "renew",
                "renew answers",
                "renew is not listened to",
                "before",
                "after",
                "error",
                "handler",
                "handler recursion",
                "handler linkage",
                "message of what the handler throws",
                "observation start",
                "observation scope",
                "observation stop",
                "quarantine count",
                "log of the settler",
                "log of the acquirer"
            })
    void engineWhenItThrowsGoesOnAndLosesNothing(String seam) throws Exception {
        fixture.threads = 2;
        fixture.batchSize = 3;
        fixture.maxAttempts = 20;
        fixture.lease = LEASE;
        fixture.maxIdleInterval = Duration.ofMillis(200);
        observations.observationConfig().observationHandler(new FailingObserver());
        engine = new Engine(
                failing(fixture.redis.store()),
                Shardings.fixed(queue -> Sharding.initial(1)),
                new Scheduler(),
                new EngineHooks(
                        new DeliveryEvents(List.of(new DeliveryCounter() {
                            @Override
                            public void quarantined(String queue, int tasks) {
                                trip("quarantine count");
                            }
                        })),
                        null,
                        null));
        RegisteredHandlers registry = new RegisteredHandlers(
                new TriggerContext(
                        engine,
                        fixture.queues(),
                        fixture.redis.wakeSignals(),
                        new InterceptorChain(List.of(new FailingInterceptor())),
                        false),
                new DelayedTasks(fixture.codecs()),
                observations,
                FailurePolicy.DEFAULT);
        registry.start();
        HandlerRegistration registration = registry.register(QUEUE, String.class, this::handle);
        ((Logger) LoggerFactory.getLogger("io.delayqueue")).addAppender(log);
        log.start();

        AtomicInteger left = new AtomicInteger(1);
        armed.put(seam, left);
        DelayQueueTemplate template = fixture.template();
        fixture.redis.put(new Shard(QUEUE, 0), "index", "no-task", 1.0);
        String first = seam.startsWith("renew") ? "slow" : "x";
        String slow = first + " "
                + template.schedule(requestTo(QUEUE, first, Duration.ZERO)).id();
        for (int i = 0; i < 9; i++) {
            template.schedule(requestTo(QUEUE, (i < 2) ? "release" : (i < 4) ? "die" : "x", Duration.ofMillis(20 * i)));
        }
        await("the seam throws").atMost(Duration.ofSeconds(20)).until(() -> left.get() <= 0);
        await("all are handled").atMost(Duration.ofSeconds(20)).until(() -> live() == 0);
        assertThat(handled.get(slow))
                .as("the lease of a slow handler")
                .hasValueBetween(1, seam.startsWith("settle") || seam.startsWith("after") ? 1 : 3);

        if (CHANGES_NOTHING.contains(seam)) {
            assertThat(handled)
                    .as("what it throws is no failure of a task")
                    .allSatisfy((task, times) -> assertThat(times).hasValue(task.startsWith("x ") ? 1 : times.get()));
        }

        for (int i = 0; i < 30; i++) {
            template.schedule(requestTo(QUEUE, "again", Duration.ZERO));
        }
        await("all that follow are handled").atMost(Duration.ofSeconds(20)).until(() -> live() == 0);
        long begin = System.nanoTime();
        registration.stop();
        assertThat(Duration.ofNanos(System.nanoTime() - begin))
                .as("no slot is taken for ever, or the stop would wait for it")
                .isLessThan(fixture.shutdownTimeout);
    }

    private long live() {
        return fixture.redis.store().shards().stats(new Shard(QUEUE, 0)).join().live();
    }

    private void handle(DelayedTask<String> task) throws Exception {
        handled.computeIfAbsent(task.payload() + " " + task.id(), id -> new AtomicInteger())
                .incrementAndGet();
        trip("handler");
        if (isDue("handler recursion")) {
            recurse(0);
        }
        if (isDue("handler linkage")) {
            throw new NoSuchMethodError("x");
        }
        if (isDue("message of what the handler throws")) {
            throw new IllegalStateException() {
                @Override
                public String getMessage() {
                    throw new LinkageError("message");
                }
            };
        }
        switch (task.payload()) {
            case "slow" -> pause(LEASE.multipliedBy(4).dividedBy(3));
            case "die" -> throw new NonRetryableTaskException("dies");
            default -> {
                // handled
            }
        }
    }

    private static void pause(Duration time) throws InterruptedException {
        assertThat(new CountDownLatch(1).await(time.toMillis(), TimeUnit.MILLISECONDS))
                .isFalse();
    }

    private static int recurse(int depth) {
        return recurse(depth + 1) + 1;
    }

    /** Throws while the seam is armed. */
    private void trip(String seam) {
        if (isDue(seam)) {
            throw new InjectedError(seam);
        }
    }

    private boolean isDue(String seam) {
        AtomicInteger left = armed.get(seam);
        return left != null && left.getAndDecrement() > 0;
    }

    private TaskStore failing(TaskStore store) {
        return InterceptedStore.around(store, (target, method, arguments) -> {
            trip(method.getName());
            Object answer = call(target, method, arguments);
            if (answer instanceof CompletableFuture<?> future && isDue(method.getName() + " answers")) {
                return future.thenCompose(
                        ignored -> CompletableFuture.failedFuture(new InjectedError(method.getName())));
            }
            if (answer instanceof CompletableFuture<?> && isDue(method.getName() + " is not listened to")) {
                return new Deaf();
            }
            return answer;
        });
    }

    private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException ex) {
            throw ex.getCause();
        }
    }

    private final class FailingInterceptor implements DeliveryInterceptor {

        @Override
        public void before(Delivery delivery) {
            trip("before");
            if (new String(delivery.content().payload()).contains("release")
                    && delivery.attempt() == 1
                    && handled.computeIfAbsent("released " + delivery.id(), id -> new AtomicInteger())
                                    .incrementAndGet()
                            == 1) {
                ((OpenDelivery) delivery).settle(Outcome.released());
            }
        }

        @Override
        public void after(Delivery delivery) {
            trip("after");
        }

        @Override
        public void error(Delivery delivery, Throwable error) {
            trip("error");
        }
    }

    private final class FailingObserver implements ObservationHandler<Observation.Context> {

        @Override
        public void onStart(Observation.Context context) {
            trip("observation start");
        }

        @Override
        public void onScopeOpened(Observation.Context context) {
            trip("observation scope");
        }

        @Override
        public void onStop(Observation.Context context) {
            trip("observation stop");
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return true;
        }
    }

    /** As one whose disk is full, or whose encoder is broken. */
    private final class FailingAppender extends AppenderBase<ILoggingEvent> {

        @Override
        protected void append(ILoggingEvent event) {
            switch (event.getLoggerName()) {
                case "io.delayqueue.internal.engine.ShardSettler" -> trip("log of the settler");
                case "io.delayqueue.internal.engine.Acquirer" -> trip("log of the acquirer");
                default -> {
                    // it works
                }
            }
        }
    }

    /** A future to which nothing can be attached, as without memory. The store's change remains. */
    private static final class Deaf extends CompletableFuture<Object> {

        @Override
        public CompletableFuture<Object> whenComplete(BiConsumer<? super Object, ? super Throwable> action) {
            throw new InjectedError("whenComplete");
        }

        @Override
        public <U> CompletableFuture<U> thenApply(Function<? super Object, ? extends U> action) {
            throw new InjectedError("thenApply");
        }

        @Override
        public <U> CompletableFuture<U> handle(BiFunction<? super Object, Throwable, ? extends U> action) {
            throw new InjectedError("handle");
        }

        @Override
        public <U> CompletableFuture<U> thenCompose(Function<? super Object, ? extends CompletionStage<U>> action) {
            throw new InjectedError("thenCompose");
        }
    }

    private static final class InjectedError extends Error {

        private static final long serialVersionUID = 1;

        InjectedError(String seam) {
            super("injected: " + seam);
        }
    }
}
