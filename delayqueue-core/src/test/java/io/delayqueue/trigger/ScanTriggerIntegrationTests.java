// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.trigger;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.delayqueue.CancelOutcome;
import io.delayqueue.Due;
import io.delayqueue.FoundTask;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.TaskState;
import io.delayqueue.delivery.Delivery;
import io.delayqueue.delivery.DeliveryInterceptor;
import io.delayqueue.delivery.OpenDelivery;
import io.delayqueue.delivery.Outcome;
import io.delayqueue.delivery.TaskDestination;
import io.delayqueue.internal.client.DelayQueueTemplate;
import io.delayqueue.internal.engine.CollectingDestination;
import io.delayqueue.internal.engine.InterceptorChain;
import io.delayqueue.internal.queue.LimitSettings;
import io.delayqueue.internal.queue.Rate;
import io.delayqueue.internal.store.WakeSignals;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.util.ReflectionUtils;

class ScanTriggerIntegrationTests {

    private static final String QUEUE = TriggerFixture.QUEUE;

    private final TriggerFixture fixture = new TriggerFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void startWhenTasksAreDueDeliversEachOnceAndLeavesNothing() {
        List<String> ids = schedule(1000, Instant.now());
        CollectingDestination destination = CollectingDestination.acknowledging();
        fixture.start(destination);
        awaitEmpty();
        assertThat(destination.ids()).containsExactlyInAnyOrderElementsOf(ids);
    }

    @Test
    void scanWhenATaskIsDueLaterSleepsUntilThenAndIsNeverEarly() {
        fixture.wakeSignals = WakeSignals.NONE;
        Map<String, Long> deliveredAt = new ConcurrentHashMap<>();
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            ids.add(fixture.template()
                    .schedule(requestTo(QUEUE, "x", Duration.ofMillis(300 + 17 * i)))
                    .id());
        }
        CollectingDestination destination = new CollectingDestination(delivery -> {
            deliveredAt.put(delivery.id(), fixture.redis.serverMillis());
            delivery.settle(Outcome.delivered());
        });
        fixture.start(destination);
        await().atMost(Duration.ofSeconds(20)).until(() -> deliveredAt.size() == ids.size());
        assertThat(destination.seen())
                .allSatisfy(delivery -> assertThat(deliveredAt.get(delivery.id()))
                        .isGreaterThanOrEqualTo(delivery.dueAt().toEpochMilli()));
    }

    @Test
    void wakeWhenATaskBecomesTheEarliestEndsTheSleep() {
        fixture.maxIdleInterval = Duration.ofMinutes(10);
        CollectingDestination destination = CollectingDestination.acknowledging();
        fixture.start(destination);
        fixture.template().schedule(requestTo(QUEUE, "later", Duration.ofHours(1)));
        for (int i = 1; i <= 5; i++) {
            String id = fixture.template()
                    .schedule(requestTo(QUEUE, "soon", Duration.ofMillis(20)))
                    .id();
            int expected = i;
            await().atMost(Duration.ofSeconds(10)).until(() -> destination.ids().size() == expected);
            assertThat(destination.ids()).last().isEqualTo(id);
        }
    }

    @Test
    void taskWhenTheNextOneIsDueInThousandsOfYearsIsOnTime() {
        CollectingDestination destination = CollectingDestination.acknowledging();
        fixture.start(destination);
        fixture.template().schedule(requestTo(QUEUE, "far", Instant.ofEpochMilli(Due.MAX_EPOCH_MILLIS)));
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            ids.add(fixture.template()
                    .schedule(requestTo(QUEUE, "soon", Duration.ofMillis(20)))
                    .id());
            await().atMost(Duration.ofSeconds(10)).until(() -> destination.ids().containsAll(ids));
        }
        assertThat(destination.ids()).containsExactlyElementsOf(ids);
    }

    @Test
    void scanWhenEveryWakeSignalIsLostFindsTheTaskAtTheMaxIdleInterval() {
        fixture.wakeSignals = WakeSignals.NONE;
        fixture.maxIdleInterval = Duration.ofMillis(200);
        CollectingDestination destination = CollectingDestination.acknowledging();
        fixture.start(destination);
        String id = fixture.template()
                .schedule(requestTo(QUEUE, "x", Duration.ZERO))
                .id();
        await().atMost(Duration.ofSeconds(10)).until(() -> destination.ids().contains(id));
    }

    @Test
    void scanWhenTheDestinationCannotSayWhetherItIsThereGoesOnAtTheMaxIdleInterval() {
        fixture.maxIdleInterval = Duration.ofMillis(300);
        List<Throwable> thrown = List.of(new IllegalStateException("broken"), new OutOfMemoryError("no thread"));
        List<Long> asked = Collections.synchronizedList(new ArrayList<>());
        CollectingDestination collecting = CollectingDestination.acknowledging();
        String id = fixture.template()
                .schedule(requestTo(QUEUE, "x", Duration.ZERO))
                .id();
        fixture.start(new TaskDestination() {
            @Override
            public void deliver(List<OpenDelivery> deliveries) {
                collecting.deliver(deliveries);
            }

            @Override
            public Duration unavailableFor() {
                asked.add(System.nanoTime());
                if (asked.size() <= thrown.size()) {
                    ReflectionUtils.rethrowRuntimeException(thrown.get(asked.size() - 1));
                }
                return Duration.ZERO;
            }
        });
        await().atMost(Duration.ofSeconds(10)).until(() -> collecting.ids().contains(id));
        assertThat(asked.get(2) - asked.get(0)).isGreaterThanOrEqualTo(2 * fixture.maxIdleInterval.toNanos());
    }

    @Test
    void deliverWhenTheDestinationThrowsFailsTheAttempt() {
        String id = fixture.template()
                .schedule(requestTo(QUEUE, "x", Duration.ZERO))
                .id();
        fixture.start(new CollectingDestination(delivery -> {
            throw new IllegalStateException("secret");
        }));
        await().atMost(Duration.ofSeconds(20)).until(() -> state(id) == TaskState.DEAD);
        assertThat(find(id).orElseThrow().lastReason()).hasValue("destination threw java.lang.IllegalStateException");
    }

    @Test
    void postponeWhenRepeatedBurnsNoAttempts() {
        String id = fixture.template()
                .schedule(requestTo(QUEUE, "x", Duration.ZERO))
                .id();
        AtomicInteger deliveries = new AtomicInteger();
        fixture.start(new CollectingDestination(delivery -> {
            assertThat(delivery.attempt()).isEqualTo(1);
            if (deliveries.incrementAndGet() <= 10) {
                delivery.settle(Outcome.postponed("connection lost").mayHaveArrived());
            } else {
                delivery.settle(Outcome.delivered());
            }
        }));
        awaitEmpty();
        assertThat(deliveries).hasValue(11);
        assertThat(find(id)).isEmpty();
    }

    @Test
    void outcomesWhenASecondIsCalledIgnoreItAndSaySo() {
        List<Boolean> answers = new ArrayList<>();
        fixture.template().schedule(requestTo(QUEUE, "x", Duration.ZERO));
        fixture.start(new CollectingDestination(delivery -> {
            answers.add(delivery.settle(Outcome.delivered()));
            answers.add(delivery.settle(Outcome.failed("too late")));
            answers.add(delivery.settle(Outcome.released()));
        }));
        awaitEmpty();
        assertThat(answers).containsExactly(true, false, false);
    }

    @Test
    void unavailableForWhenPositiveAcquiresNothingUntilItIsZero() {
        String id = fixture.template()
                .schedule(requestTo(QUEUE, "x", Duration.ZERO))
                .id();
        AtomicBoolean available = new AtomicBoolean();
        AtomicInteger asked = new AtomicInteger();
        CollectingDestination inner = CollectingDestination.acknowledging();
        fixture.start(new TaskDestination() {
            @Override
            public void deliver(List<OpenDelivery> deliveries) {
                inner.deliver(deliveries);
            }

            @Override
            public Duration unavailableFor() {
                asked.incrementAndGet();
                return available.get() ? Duration.ZERO : Duration.ofMillis(20);
            }
        });
        await().atMost(Duration.ofSeconds(10)).until(() -> asked.get() > 5);
        assertThat(state(id)).isEqualTo(TaskState.SCHEDULED);
        available.set(true);
        await().atMost(Duration.ofSeconds(10)).until(() -> inner.ids().contains(id));
    }

    @Test
    void scanWhenShardsAreManyDrainsThemAll() {
        fixture.shards = 7;
        List<String> ids = schedule(500, Instant.now());
        CollectingDestination destination = CollectingDestination.acknowledging();
        fixture.start(destination);
        await().atMost(Duration.ofSeconds(20)).until(() -> destination.ids().size() >= ids.size());
        assertThat(destination.ids()).containsExactlyInAnyOrderElementsOf(ids);
    }

    /** Each shard has its part of the rate. */
    @Test
    void rateWhenOverdueWhenManyAreOverdueSpreadsThemOut() {
        fixture.shards = 2;
        fixture.limits = new LimitSettings(null, Rate.parse("40/s"), null, null);
        CollectingDestination destination = CollectingDestination.acknowledging();
        List<String> ids = schedule(100, Instant.now().minusSeconds(60));
        long began = System.nanoTime();
        fixture.start(destination);
        await().atMost(Duration.ofSeconds(20)).until(() -> destination.seen().size() >= ids.size());

        assertThat(Duration.ofNanos(System.nanoTime() - began))
                .isBetween(Duration.ofMillis((100 - 10) * 1000 / 40), Duration.ofMillis(2 * 100 * 1000 / 40));
        assertThat(destination.ids()).containsExactlyInAnyOrderElementsOf(ids);
    }

    @Test
    void scanWhenTwoTriggersShareAQueueGivesEachTaskToOne() {
        List<String> ids = schedule(5000, Instant.now().plusMillis(300));
        CollectingDestination one = CollectingDestination.acknowledging();
        CollectingDestination other = CollectingDestination.acknowledging();
        fixture.start(one);
        fixture.start(other);
        awaitEmpty();
        List<String> seen = new ArrayList<>(one.ids());
        seen.addAll(other.ids());
        assertThat(seen).containsExactlyInAnyOrderElementsOf(ids);
    }

    @Test
    void deliverWhenWorkersAreBusyAcquiresNoMoreThanTheyCarry() {
        fixture.threads = 2;
        fixture.batchSize = 5;
        List<String> ids = schedule(100, Instant.now());
        CountDownLatch gate = new CountDownLatch(1);
        CollectingDestination destination = new CollectingDestination(delivery -> {
            awaitLatch(gate);
            delivery.settle(Outcome.delivered());
        });
        fixture.start(destination);
        await().atMost(Duration.ofSeconds(10)).until(() -> destination.seen().size() == 2);
        await().during(Duration.ofMillis(300))
                .atMost(Duration.ofSeconds(5))
                .untilAsserted(() -> assertThat(ids)
                        .filteredOn(id -> state(id) == TaskState.LEASED)
                        .hasSize(10));
        gate.countDown();
        awaitEmpty();
        assertThat(destination.ids()).containsExactlyInAnyOrderElementsOf(ids);
    }

    @Test
    void cancelWhenTheDeliveryIsUnderWayIsInFlightAndItsFailureIsNotRetried() {
        String id = fixture.template()
                .schedule(requestTo(QUEUE, "x", Duration.ZERO))
                .id();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch gate = new CountDownLatch(1);
        CollectingDestination destination = new CollectingDestination(delivery -> {
            begun.countDown();
            awaitLatch(gate);
            delivery.settle(Outcome.failed("too late anyway"));
        });
        ScanTrigger trigger = fixture.start(destination);
        awaitLatch(begun);
        assertThat(fixture.template().cancel(QUEUE, id)).isEqualTo(CancelOutcome.IN_FLIGHT);
        gate.countDown();
        trigger.stop();
        assertThat(find(id)).isEmpty();
        assertThat(destination.ids()).containsExactly(id);
    }

    @Test
    void leaseWhenItEndsBringsTheTaskBackCountedApart() {
        fixture.lease = Duration.ofMillis(300);
        fixture.maxIdleInterval = Duration.ofMillis(100);
        String id = fixture.template()
                .schedule(requestTo(QUEUE, "x", Duration.ZERO))
                .id();
        AtomicInteger deliveries = new AtomicInteger();
        CollectingDestination destination = new CollectingDestination(delivery -> {
            if (deliveries.incrementAndGet() == 3) {
                delivery.settle(Outcome.delivered());
            }
        });
        fixture.start(destination);
        await().atMost(Duration.ofSeconds(20)).until(() -> find(id).isEmpty());
        assertThat(destination.seen()).extracting(OpenDelivery::attempt).containsExactly(1, 2, 3);
        assertThat(destination.seen())
                .extracting(OpenDelivery::fencingToken)
                .isSorted()
                .doesNotHaveDuplicates();
        assertThat(destination.seen().get(0).settle(Outcome.delivered()))
                .as("the first delivery may still end; its token is stale")
                .isTrue();
    }

    @Test
    void interceptorsWhenTheDestinationTakesBatchesAreToldOfEachDelivery() {
        List<String> calls = new CopyOnWriteArrayList<>();
        fixture.interceptors = new InterceptorChain(List.of(new DeliveryInterceptor() {
            @Override
            public void before(Delivery delivery) {
                calls.add("before " + delivery.id() + " " + delivery.attempt());
                if (delivery.id().equals("refused") && delivery.attempt() == 1) {
                    throw new IllegalStateException("not now");
                }
            }

            @Override
            public void after(Delivery delivery) {
                calls.add("after " + delivery.id());
                throw new IllegalStateException("is logged, no more");
            }

            @Override
            public void error(Delivery delivery, Throwable error) {
                calls.add("error " + delivery.id() + " " + error.getMessage());
            }
        }));
        for (String id : List.of("fine", "failing", "refused")) {
            fixture.template().schedule(requestTo(QUEUE, id, "x", Duration.ZERO));
        }
        CollectingDestination destination = new CollectingDestination(delivery -> {
            if (delivery.id().equals("failing") && delivery.attempt() == 1) {
                delivery.settle(Outcome.failed("once"));
            } else {
                delivery.settle(Outcome.delivered());
            }
        });
        fixture.start(destination);
        awaitEmpty();
        assertThat(calls)
                .containsExactlyInAnyOrder(
                        "before fine 1",
                        "after fine",
                        "before failing 1",
                        "error failing once",
                        "before failing 2",
                        "after failing",
                        "before refused 1",
                        "before refused 2",
                        "after refused");
        assertThat(destination.seen())
                .filteredOn(delivery -> delivery.id().equals("refused"))
                .as("the refused delivery did not begin")
                .hasSize(1);
    }

    @Test
    void scanOnceWhenMoreIsDueThanTheLimitTakesTheLimitAndThenTheRest() {
        fixture.shards = 3;
        List<String> ids = schedule(1200, Instant.now());
        CollectingDestination destination = CollectingDestination.acknowledging();
        ScanTrigger trigger = fixture.trigger(destination);
        assertThat(trigger.scanOnce(1000)).isEqualTo(1000);
        assertThat(destination.seen()).hasSize(1000);
        assertThat(trigger.scanOnce(1000)).isEqualTo(200);
        assertThat(trigger.scanOnce(1000)).isZero();
        assertThat(destination.ids()).containsExactlyInAnyOrderElementsOf(ids);
        assertThat(ids).allSatisfy(id -> assertThat(find(id)).isEmpty());
    }

    @Test
    void scanOnceWhenTheLimitIsOutOfBoundsIsRefused() {
        ScanTrigger trigger = fixture.trigger(CollectingDestination.acknowledging());
        assertThatIllegalArgumentException().isThrownBy(() -> trigger.scanOnce(0));
        assertThatIllegalArgumentException().isThrownBy(() -> trigger.scanOnce(1001));
    }

    private List<String> schedule(int count, Instant due) {
        DelayQueueTemplate template = fixture.template();
        List<ScheduleRequest<?>> requests = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            requests.add(requestTo(QUEUE, "x" + i, due));
        }
        template.scheduleAll(requests);
        return requests.stream().map(ScheduleRequest::id).toList();
    }

    private Optional<FoundTask<String>> find(String id) {
        return fixture.template().find(QUEUE, id, String.class);
    }

    private TaskState state(String id) {
        return find(id).map(FoundTask::state).orElse(null);
    }

    private void awaitEmpty() {
        await().atMost(Duration.ofSeconds(30))
                .until(() -> fixture.redis
                                .store()
                                .shards()
                                .stats(new io.delayqueue.internal.store.Shard(QUEUE, 0))
                                .join()
                                .live()
                        == 0);
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException ex) {
            throw new AssertionError(ex);
        }
    }
}
