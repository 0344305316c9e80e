// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.handler;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.delayqueue.CancelOutcome;
import io.delayqueue.DelayQueueException;
import io.delayqueue.FoundTask;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.TaskState;
import io.delayqueue.UnknownQueueException;
import io.delayqueue.delivery.Delivery;
import io.delayqueue.delivery.DeliveryInterceptor;
import io.delayqueue.handler.DelayedTask;
import io.delayqueue.handler.HandlerOptions;
import io.delayqueue.handler.HandlerRegistration;
import io.delayqueue.handler.NonRetryableTaskException;
import io.delayqueue.handler.RetryLaterException;
import io.delayqueue.internal.engine.InterceptorChain;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.ShardStats;
import io.delayqueue.internal.store.WakeSignals;
import io.delayqueue.trigger.ScanTrigger;
import io.delayqueue.trigger.TriggerFixture;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

class TaskHandlerRegistryIntegrationTests {

    private static final String QUEUE = TriggerFixture.QUEUE;

    private final TriggerFixture fixture = new TriggerFixture();
    private final ObservationRegistry observations = ObservationRegistry.create();
    private final List<RegisteredHandlers> registries = new ArrayList<>();

    record Order(long id) {}

    @AfterEach
    void close() {
        registries.forEach(RegisteredHandlers::stop);
        fixture.close();
    }

    @Test
    void handleWhenItReturnsAcknowledges() {
        ConcurrentLinkedQueue<DelayedTask<Order>> handled = new ConcurrentLinkedQueue<>();
        started().register(QUEUE, Order.class, handled::add);
        ScheduleRequest<?> request = ScheduleRequest.to(QUEUE)
                .payload(new Order(7))
                .header("tenant", "t1")
                .dueIn(Duration.ofMillis(50))
                .build();
        fixture.template().schedule(request);

        await().atMost(Duration.ofSeconds(10)).until(() -> !handled.isEmpty());
        DelayedTask<Order> task = handled.peek();
        assertThat(task.payload()).isEqualTo(new Order(7));
        assertThat(task.id()).isEqualTo(request.id());
        assertThat(task.queue()).isEqualTo(QUEUE);
        assertThat(task.attempt()).isEqualTo(1);
        assertThat(task.headers()).containsExactly(Map.entry("tenant", "t1"));
        assertThat(task.lateness()).isBetween(Duration.ZERO, Duration.ofSeconds(5));
        assertThat(task.lease().fencingToken()).isPositive();
        assertThat(task.lease().isLost()).isFalse();
        await().atMost(Duration.ofSeconds(10)).until(() -> find(request.id()).isEmpty());
    }

    @Test
    void handleWhenHandlersAreSlowLeavesTheTasksThatWaitToOtherProcesses() {
        fixture.threads = 2;
        AtomicInteger handled = new AtomicInteger();
        for (int i = 0; i < 12; i++) {
            schedule("x");
        }

        started().register(QUEUE, String.class, task -> {
            Thread.sleep(250);
            handled.incrementAndGet();
        });

        AtomicLong most = new AtomicLong();
        await().pollInterval(Duration.ofMillis(1))
                .atMost(Duration.ofSeconds(15))
                .until(() -> {
                    most.accumulateAndGet(stats().leased(), Math::max);
                    return handled.get() >= 8;
                });
        assertThat(most.get())
                .as("two in progress, and two that are being settled")
                .isBetween(1L, 4L);
        await().atMost(Duration.ofSeconds(10)).until(() -> handled.get() == 12);
    }

    private ShardStats stats() {
        return fixture.redis.store().shards().stats(new Shard(QUEUE, 0)).join();
    }

    @Test
    void destroyWhenNobodyStoppedItEndsTheHandlers() {
        RegisteredHandlers registry = started();
        HandlerRegistration registration = registry.register(QUEUE, Order.class, task -> {});
        assertThat(registration.isRunning()).isTrue();

        registry.destroy();

        assertThat(registration.isRunning()).isFalse();
        assertThat(registry.isRunning()).isFalse();
    }

    @Test
    void startOfAllWhenOneWasClosedInTheMeantimeDoesNotStartIt() {
        RegisteredHandlers registry = started();
        HandlerRegistration registration = registry.register(QUEUE, Order.class, task -> {});
        List<ScanTrigger> seen = registry.triggers(); // as a start sees them
        registration.close();

        seen.forEach(ScanTrigger::start);

        assertThat(seen).singleElement().returns(false, ScanTrigger::isRunning);
        assertThatExceptionOfType(DelayQueueException.class)
                .isThrownBy(registration::start)
                .withMessageContaining("register it again");
    }

    @Test
    void handleWhenItThrowsIsRetriedAndThenDeadWithClassAndMessage() {
        AtomicInteger attempts = new AtomicInteger();
        started().register(QUEUE, String.class, task -> {
            assertThat(task.attempt()).isEqualTo(attempts.incrementAndGet());
            throw new IllegalStateException("no\nluck");
        });
        String id = schedule("x");
        awaitState(id, TaskState.DEAD);
        FoundTask<String> dead = find(id).orElseThrow();
        assertThat(dead.failures()).isEqualTo(3).isEqualTo(attempts.get());
        assertThat(dead.lastReason()).hasValue("java.lang.IllegalStateException: no\\u000aluck");
    }

    @Test
    void handleWhenTheExceptionSaysNeverIsDeadAtOnce() {
        started().register(QUEUE, String.class, task -> {
            throw new NonRetryableTaskException("hopeless");
        });
        String id = schedule("x");
        awaitState(id, TaskState.DEAD);
        assertThat(find(id).orElseThrow().failures()).isEqualTo(1);
    }

    @Test
    void handleWhenACallOfItsOwnIsRefusedIsRetriedLikeAnyOtherFailure() {
        started().register(QUEUE, String.class, task -> {
            fixture.template().cancel(QUEUE, "not\tan id");
        });
        String id = schedule("x");
        awaitState(id, TaskState.DEAD);
        assertThat(find(id).orElseThrow().failures()).isEqualTo(3);
    }

    @Test
    void handleWhenTheExceptionAsksForATimeIsRetriedThen() {
        List<Instant> calls = new ArrayList<>();
        started().register(QUEUE, String.class, task -> {
            calls.add(Instant.now());
            if (task.attempt() == 1) {
                throw new RetryLaterException("later", Duration.ofMillis(700));
            }
        });
        schedule("x");
        await().atMost(Duration.ofSeconds(10)).until(() -> calls.size() == 2);
        assertThat(Duration.between(calls.get(0), calls.get(1)))
                .as("not the 50 ms of the retry policy")
                .isGreaterThanOrEqualTo(Duration.ofMillis(690));
    }

    @Test
    void handleWhenThePayloadCannotBeReadIsDeadAtOnceAndShowsNothingOfIt() {
        started().register(QUEUE, Order.class, task -> {});
        String id = schedule("secret that is no json");
        awaitState(id, TaskState.DEAD);
        assertThat(find(id).orElseThrow().lastReason())
                .hasValueSatisfying(reason -> assertThat(reason)
                        .contains("PayloadConversionException")
                        .doesNotContain("secret"));
    }

    @Test
    void registerAsyncWhenTheStageCompletesLaterSettlesThen() {
        CompletableFuture<Void> work = new CompletableFuture<>();
        started().registerAsync(QUEUE, String.class, task -> work, HandlerOptions.DEFAULT);
        String id = schedule("x");
        awaitState(id, TaskState.LEASED);
        await().during(Duration.ofMillis(200)).until(() -> state(id) == TaskState.LEASED);
        work.complete(null);
        await().atMost(Duration.ofSeconds(10)).until(() -> find(id).isEmpty());
    }

    @Test
    void registerWhenItsStartFailsLeavesTheQueueFree() {
        AtomicBoolean broken = new AtomicBoolean(true);
        WakeSignals working = fixture.wakeSignals;
        fixture.wakeSignals = (queue, wakes) -> {
            if (broken.get()) {
                throw new IllegalStateException("no signals");
            }
            return working.listen(queue, wakes);
        };
        RegisteredHandlers registry = started();
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> registry.register(QUEUE, String.class, task -> {}))
                .withMessage("no signals");
        assertThat(registry.queues()).isEmpty();
        assertThat(registry.triggers()).isEmpty();

        broken.set(false);
        ConcurrentLinkedQueue<String> handled = new ConcurrentLinkedQueue<>();
        registry.register(QUEUE, String.class, task -> handled.add(task.id()));
        String id = schedule("x");
        await().atMost(Duration.ofSeconds(10)).until(() -> handled.contains(id));
    }

    @Test
    void registerAsyncWhenTheStageFailsRetries() {
        AtomicInteger calls = new AtomicInteger();
        started()
                .registerAsync(
                        QUEUE,
                        String.class,
                        task -> calls.incrementAndGet() == 1
                                ? CompletableFuture.failedFuture(new IllegalStateException("once"))
                                : CompletableFuture.completedFuture("done"),
                        HandlerOptions.DEFAULT);
        String id = schedule("x");
        await().atMost(Duration.ofSeconds(10)).until(() -> find(id).isEmpty());
        assertThat(calls).hasValue(2);
    }

    @Test
    void handleWhenItTakesThreeLeasesRunsOnceBecauseItsLeaseIsRenewed() {
        fixture.lease = Duration.ofMillis(1500);
        fixture.maxIdleInterval = Duration.ofMillis(100);
        AtomicInteger calls = new AtomicInteger();
        List<Boolean> lost = new ArrayList<>();
        started().register(QUEUE, String.class, task -> {
            calls.incrementAndGet();
            pause(4500);
            lost.add(task.lease().isLost());
        });
        started().register(QUEUE, String.class, task -> {
            calls.incrementAndGet();
            pause(4500);
            lost.add(task.lease().isLost());
        });
        String id = schedule("x");
        await().atMost(Duration.ofSeconds(10)).until(() -> find(id).isEmpty());
        assertThat(calls).hasValue(1);
        assertThat(lost).containsExactly(false);
    }

    @Test
    void scanOnceWhenAHandlerTakesThreeLeasesRenewsThem() {
        fixture.lease = Duration.ofMillis(1500);
        RegisteredHandlers registry = new RegisteredHandlers(
                fixture.context(), new DelayedTasks(fixture.codecs()), observations, FailurePolicy.DEFAULT);
        List<Boolean> lost = new ArrayList<>();
        registry.register(QUEUE, String.class, task -> {
            pause(4500);
            lost.add(task.lease().isLost());
        });
        String id = schedule("x");
        assertThat(registry.triggers().get(0).scanOnce(10)).isEqualTo(1);
        assertThat(lost).containsExactly(false);
        assertThat(find(id)).isEmpty();
    }

    @Test
    void extendWhenAskedPutsOffTheEndOfTheLease() {
        fixture.lease = Duration.ofSeconds(1);
        List<Instant> deadlines = new ArrayList<>();
        started().register(QUEUE, String.class, task -> {
            assertThat(task.lease().extend(Duration.ofHours(1))).isTrue();
            deadlines.add(find(task.id()).orElseThrow().nextAttentionAt());
        });
        schedule("x");
        await().atMost(Duration.ofSeconds(10)).until(() -> !deadlines.isEmpty());
        assertThat(deadlines.get(0)).isAfter(Instant.now().plus(Duration.ofMinutes(59)));
    }

    @Test
    void leaseWhenTheTaskIsCancelledMeanwhileIsLost() {
        fixture.lease = Duration.ofMillis(300);
        CountDownLatch begun = new CountDownLatch(1);
        List<Boolean> lost = new ArrayList<>();
        started().register(QUEUE, String.class, task -> {
            begun.countDown();
            await().atMost(Duration.ofSeconds(10)).until(() -> task.lease().isLost());
            lost.add(task.lease().extend(Duration.ofMinutes(1)));
        });
        String id = schedule("old");
        awaitLatch(begun);
        assertThat(fixture.template().cancel(QUEUE, id)).isEqualTo(CancelOutcome.IN_FLIGHT);
        fixture.template().schedule(requestTo(QUEUE, id, "new", Duration.ofHours(1)));
        await().atMost(Duration.ofSeconds(10)).until(() -> !lost.isEmpty());
        assertThat(lost).containsExactly(false);
        assertThat(find(id).orElseThrow().payload())
                .as("the late settle changed nothing")
                .isEqualTo("new");
    }

    @Test
    void concurrencyWhenOneHandlesOneAfterTheOtherInDueOrder() {
        List<String> ids = new ArrayList<>();
        Instant now = Instant.now();
        for (int i = 0; i < 100; i++) {
            ids.add(
                    0,
                    fixture.template()
                            .schedule(requestTo(QUEUE, "x", now.minusMillis(i)))
                            .id());
        }
        List<String> handled = new ArrayList<>();
        AtomicInteger running = new AtomicInteger();
        started()
                .register(
                        QUEUE,
                        String.class,
                        task -> {
                            assertThat(running.incrementAndGet()).isEqualTo(1);
                            handled.add(task.id());
                            running.decrementAndGet();
                        },
                        HandlerOptions.builder().concurrency(1).build());
        await().atMost(Duration.ofSeconds(10)).until(() -> handled.size() == 100);
        assertThat(handled).isEqualTo(ids);
    }

    @Test
    void concurrencyWhenManyRunsThatManyAtOnceAndNoMore() {
        fixture.batchSize = 1;
        int limit = 7;
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CountDownLatch full = new CountDownLatch(limit);
        CountDownLatch done = new CountDownLatch(50);
        started()
                .register(
                        QUEUE,
                        String.class,
                        task -> {
                            most.accumulateAndGet(running.incrementAndGet(), Math::max);
                            full.countDown();
                            awaitLatch(full);
                            pause(30);
                            running.decrementAndGet();
                            done.countDown();
                        },
                        HandlerOptions.builder().concurrency(limit).build());
        for (int i = 0; i < 50; i++) {
            schedule("x");
        }
        awaitLatch(done);
        assertThat(most).hasValue(limit);
    }

    @Test
    void concurrencyWhenFewerTasksThanABatchAreDueUsesEveryThread() {
        for (int i = 0; i < 4; i++) {
            schedule("x");
        }
        CountDownLatch together = new CountDownLatch(4);
        ConcurrentLinkedQueue<String> handled = new ConcurrentLinkedQueue<>();
        started()
                .register(
                        QUEUE,
                        String.class,
                        task -> {
                            together.countDown();
                            awaitLatch(together);
                            handled.add(task.id());
                        },
                        HandlerOptions.builder().concurrency(4).build());
        await().atMost(Duration.ofSeconds(10)).until(() -> handled.size() == 4);
    }

    @Test
    void suspectsWhenSeveralLeasesRanOutAreHandledOneAtATimeWhileOthersGoOn() {
        fixture.lease = Duration.ofMillis(200);
        fixture.maxIdleInterval = Duration.ofMillis(50);
        List<String> suspects = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            suspects.add(schedule("suspect"));
        }
        fixture.redis.acquireAndForget(QUEUE, 6, fixture.lease);
        await().pollDelay(Duration.ofMillis(250)).until(() -> true);
        fixture.lease = Duration.ofSeconds(30);
        fixture.batchSize = 1;
        AtomicInteger runningSuspects = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Map<String, Boolean> handled = new ConcurrentHashMap<>();
        started()
                .register(
                        QUEUE,
                        String.class,
                        task -> {
                            if (suspects.contains(task.id())) {
                                most.accumulateAndGet(runningSuspects.incrementAndGet(), Math::max);
                                pause(500);
                                runningSuspects.decrementAndGet();
                            }
                            handled.put(task.id(), true);
                        },
                        HandlerOptions.builder().concurrency(8).build());
        List<String> others = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            others.add(schedule("other"));
        }
        await().atMost(Duration.ofSeconds(10)).until(() -> handled.keySet().containsAll(others));
        assertThat(suspects.stream().filter(handled::containsKey))
                .as("the others did not wait for them, whose order is not known")
                .hasSizeLessThan(6);
        await().atMost(Duration.ofSeconds(10)).until(() -> handled.keySet().containsAll(suspects));
        assertThat(most).hasValue(1);
    }

    @Test
    void stopWhenHandlersRunWaitsForThemAndRepeatsNothing() {
        fixture.batchSize = 1;
        fixture.shutdownTimeout = Duration.ofSeconds(5);
        Map<String, Integer> handled = new ConcurrentHashMap<>();
        CountDownLatch begun = new CountDownLatch(20);
        RegisteredHandlers registry = started();
        registry.register(
                QUEUE,
                String.class,
                task -> {
                    begun.countDown();
                    pause(500);
                    handled.merge(task.id(), 1, Integer::sum);
                },
                HandlerOptions.builder().concurrency(20).build());
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            ids.add(schedule("x"));
        }
        awaitLatch(begun);
        registry.stop();
        assertThat(handled)
                .containsOnlyKeys(ids)
                .allSatisfy((id, count) -> assertThat(count).isEqualTo(1));
        assertThat(ids).allSatisfy(id -> assertThat(find(id)).isEmpty());
    }

    @Test
    void stopWhenHandlersIgnoreTheInterruptGivesTheirTasksBackAtOnce() {
        fixture.batchSize = 1;
        fixture.shutdownTimeout = Duration.ofMillis(200);
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        RegisteredHandlers registry = started();
        registry.register(QUEUE, String.class, task -> {
            begun.countDown();
            awaitWhateverInterrupts(released);
        });
        String id = schedule("x");
        awaitLatch(begun);
        registry.stop();
        FoundTask<String> task = find(id).orElseThrow();
        released.countDown();
        assertThat(task.state()).isEqualTo(TaskState.SCHEDULED);
        assertThat(task.failures()).isZero();
        assertThat(task.nextAttentionAt())
                .as("at once, not after the lease")
                .isBefore(Instant.now().plusMillis(50));
    }

    @Test
    void stopWhenABatchWaitsForItsTurnReleasesItUntouched() {
        fixture.shutdownTimeout = Duration.ofSeconds(20);
        AtomicInteger calls = new AtomicInteger();
        CountDownLatch begun = new CountDownLatch(1);
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            ids.add(schedule("x"));
        }
        RegisteredHandlers registry = started();
        registry.register(
                QUEUE,
                String.class,
                task -> {
                    calls.incrementAndGet();
                    begun.countDown();
                    pause(300);
                },
                HandlerOptions.builder().concurrency(1).build());
        awaitLatch(begun);
        registry.stop();
        assertThat(calls).hasValue(1);
        assertThat(ids).filteredOn(id -> find(id).isPresent()).hasSize(9).allSatisfy(id -> {
            assertThat(state(id)).isEqualTo(TaskState.SCHEDULED);
            assertThat(fixture.template().cancel(QUEUE, id))
                    .as("no delivery began")
                    .isEqualTo(CancelOutcome.CANCELLED);
        });
    }

    @Test
    void stopWhenAHandlerSwallowsTheInterruptBeginsNothingElseOfItsBatch() {
        fixture.shutdownTimeout = Duration.ofMillis(100);
        AtomicInteger calls = new AtomicInteger();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        for (int i = 0; i < 5; i++) {
            schedule("x");
        }
        RegisteredHandlers registry = started();
        registry.register(
                QUEUE,
                String.class,
                task -> {
                    calls.incrementAndGet();
                    begun.countDown();
                    awaitWhateverInterrupts(released);
                    ended.countDown();
                },
                HandlerOptions.builder().concurrency(1).build());
        awaitLatch(begun);
        registry.stop();
        released.countDown();
        awaitLatch(ended);
        await().during(Duration.ofMillis(300)).until(() -> calls.get() == 1);
    }

    /** A normal return says that the work is done, also after an interrupt. */
    @Test
    void stopWhenAnInterruptedHandlerReturnsNormallyAcknowledgesTheTask() {
        fixture.shutdownTimeout = Duration.ofMillis(100);
        CountDownLatch begun = new CountDownLatch(1);
        RegisteredHandlers registry = started();
        registry.register(QUEUE, String.class, task -> {
            begun.countDown();
            try {
                pause(20_000);
            } catch (InterruptedException ex) {
                Thread.currentThread().interrupt();
            }
        });
        String id = schedule("x");
        awaitLatch(begun);
        registry.stop();
        await().atMost(Duration.ofSeconds(10)).until(() -> find(id).isEmpty());
    }

    @Test
    void stopWhenAHandlerWrapsTheInterruptCountsNoFailure() {
        fixture.shutdownTimeout = Duration.ofMillis(100);
        fixture.maxAttempts = 1;
        CountDownLatch begun = new CountDownLatch(1);
        RegisteredHandlers registry = started(Set.of(IllegalStateException.class), List.of());
        registry.register(QUEUE, String.class, task -> {
            begun.countDown();
            try {
                pause(20_000);
            } catch (InterruptedException ex) {
                throw new IllegalStateException(ex);
            }
        });
        String id = schedule("x");
        awaitLatch(begun);
        registry.stop();
        assertThat(state(id)).isEqualTo(TaskState.SCHEDULED);
        assertThat(find(id).orElseThrow().failures()).isZero();
    }

    @Test
    void stopWhenItsThreadIsInterruptedCountsNoFailureAndReleasesTheTasks() {
        fixture.maxAttempts = 1;
        CountDownLatch begun = new CountDownLatch(2);
        CountDownLatch released = new CountDownLatch(1);
        HandlerRegistration registration = started().register(QUEUE, String.class, task -> {
            begun.countDown();
            if (task.payload().equals("ignores interrupts")) {
                awaitWhateverInterrupts(released);
            } else {
                pause(20_000);
            }
        });
        List<String> ids = List.of(schedule("ignores interrupts"), schedule("ends when interrupted"));
        awaitLatch(begun);

        Thread.currentThread().interrupt();
        registration.stop();

        assertThat(Thread.interrupted()).isTrue();
        ids.forEach(id -> awaitState(id, TaskState.SCHEDULED));
        assertThat(ids)
                .allSatisfy(id -> assertThat(find(id).orElseThrow().failures()).isZero());
        released.countDown();
    }

    @Test
    void handleWhenInterruptedByNoStopIsAFailureLikeAnyOther() {
        AtomicInteger calls = new AtomicInteger();
        started()
                .registerAsync(
                        QUEUE,
                        String.class,
                        task -> {
                            calls.incrementAndGet();
                            return CompletableFuture.failedFuture(new InterruptedException("elsewhere"));
                        },
                        HandlerOptions.DEFAULT);
        String id = schedule("x");
        awaitState(id, TaskState.DEAD);
        assertThat(calls).hasValue(3);
    }

    @Test
    void registrationWhenStoppedAndStartedAgainHandlesAgain() {
        ConcurrentLinkedQueue<String> handled = new ConcurrentLinkedQueue<>();
        HandlerRegistration registration = started().register(QUEUE, String.class, task -> handled.add(task.id()));
        assertThat(registration.isRunning()).isTrue();
        registration.stop();
        String id = schedule("x");
        await().during(Duration.ofMillis(200)).until(handled::isEmpty);
        registration.start();
        await().atMost(Duration.ofSeconds(10)).until(() -> handled.contains(id));
    }

    @Test
    void registerWhenTheQueueHasAHandlerIsRefusedUntilThatIsClosed() {
        RegisteredHandlers registry = started();
        HandlerRegistration first = registry.register(QUEUE, String.class, task -> {});
        assertThatExceptionOfType(DelayQueueException.class)
                .isThrownBy(() -> registry.register(QUEUE, String.class, task -> {}))
                .withMessageContaining(QUEUE);
        first.close();
        registry.register(QUEUE, String.class, task -> {});
        assertThatExceptionOfType(DelayQueueException.class)
                .as("two of one queue")
                .isThrownBy(first::start);
        assertThatExceptionOfType(UnknownQueueException.class)
                .isThrownBy(() -> registry.register("typo", String.class, task -> {}));
    }

    @Test
    void interceptorsWhenOrderedWrapTheHandler() {
        List<String> calls = new ArrayList<>();
        AtomicInteger attempts = new AtomicInteger();
        started(Set.of(), List.of(new Noting("outer", calls), new Noting("inner", calls)))
                .register(QUEUE, String.class, task -> {
                    calls.add("handler");
                    if (attempts.incrementAndGet() == 1) {
                        throw new IllegalStateException("once");
                    }
                });
        String id = schedule("x");
        await().atMost(Duration.ofSeconds(10)).until(() -> find(id).isEmpty());
        assertThat(calls)
                .containsExactly(
                        "outer before",
                        "inner before",
                        "handler",
                        "inner error once",
                        "outer error once",
                        "outer before",
                        "inner before",
                        "handler",
                        "inner after",
                        "outer after");
    }

    @Test
    void handleWhenCalledHasTheLoggingContextAndACurrentObservation() {
        ConcurrentLinkedQueue<String> seen = new ConcurrentLinkedQueue<>();
        observations.observationConfig().observationHandler((ObservationHandler<Observation.Context>) context -> true);
        started().register(QUEUE, String.class, task -> {
            seen.add(MDC.get("delayqueue.queue"));
            seen.add(MDC.get("delayqueue.task"));
            seen.add(observations.getCurrentObservation().getContext().getName());
            seen.add(Thread.currentThread().getName());
        });
        String id = schedule("x");
        await().atMost(Duration.ofSeconds(10)).until(() -> seen.size() == 4);
        assertThat(seen).startsWith(QUEUE, id, "delayqueue.handle");
        assertThat(seen).last().asString().startsWith("delayqueue-" + QUEUE + "-");
    }

    @Test
    void queuesWhenTheHandlersOfOneAllBlockAreNotDelayedByEachOther() {
        fixture.moreQueues = List.of("other");
        RegisteredHandlers registry = started();
        CountDownLatch gate = new CountDownLatch(1);
        registry.register(QUEUE, String.class, task -> awaitLatch(gate));
        CountDownLatch handled = new CountDownLatch(200);
        registry.register("other", String.class, task -> handled.countDown());
        for (int i = 0; i < 200; i++) {
            schedule("blocks");
            fixture.template().schedule(requestTo("other", "x", Duration.ZERO));
        }
        awaitLatch(handled);
        gate.countDown();
    }

    private record Noting(String name, List<String> calls) implements DeliveryInterceptor {

        @Override
        public void before(Delivery delivery) {
            calls.add(name + " before");
        }

        @Override
        public void after(Delivery delivery) {
            calls.add(name + " after");
        }

        @Override
        public void error(Delivery delivery, Throwable error) {
            calls.add(name + " error " + error.getMessage());
        }
    }

    private RegisteredHandlers started() {
        return started(Set.of(), List.of());
    }

    private RegisteredHandlers started(
            Set<Class<? extends Throwable>> excludes, List<DeliveryInterceptor> interceptors) {
        fixture.excludes = excludes;
        fixture.interceptors = new InterceptorChain(interceptors);
        RegisteredHandlers registry = new RegisteredHandlers(
                fixture.context(), new DelayedTasks(fixture.codecs()), observations, FailurePolicy.DEFAULT);
        registries.add(registry);
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

    private TaskState state(String id) {
        return find(id).map(FoundTask::state).orElse(null);
    }

    private void awaitState(String id, TaskState state) {
        await().atMost(Duration.ofSeconds(15)).until(() -> state(id) == state);
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException ex) {
            throw new AssertionError(ex);
        }
    }

    /** Ignores every interrupt, like careless code. */
    private static void awaitWhateverInterrupts(CountDownLatch latch) {
        for (boolean waits = true; waits; ) {
            try {
                assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
                waits = false;
            } catch (InterruptedException ignored) {
                // continues as before
            }
        }
    }

    private static void pause(long millis) throws InterruptedException {
        assertThat(new CountDownLatch(1).await(millis, TimeUnit.MILLISECONDS)).isFalse();
    }
}
