// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.TaskStoreUnavailableException;
import io.delayqueue.delivery.Outcome;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.engine.SomeDelivery;
import io.delayqueue.internal.store.InterceptedStore;
import io.delayqueue.internal.store.RateStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which counts are added, and when. */
class MinuteRatesTests {

    private static final Duration NEVER = Duration.ofHours(1);

    private final AddedCounts store = new AddedCounts();
    private final Scheduler scheduler = new Scheduler();

    @AfterEach
    void close() {
        scheduler.close();
    }

    private static void ended(MinuteRates rates, Outcome.Kind ending) {
        rates.ended(SomeDelivery.of("orders"), "handler", ending, false);
    }

    @Test
    void addWhenSomethingWasCountedAddsItOnceAndThenNothing() {
        try (MinuteRates rates = new MinuteRates(store.rates(), scheduler, Duration.ofMillis(50))) {
            ended(rates, Outcome.Kind.DELIVERED);
            ended(rates, Outcome.Kind.FAILED);
            await().until(() -> store.sums().equals(Map.of(MinuteRates.DELIVERED, 1L, MinuteRates.FAILED, 1L)));
            int calls = store.added.size();
            await().during(Duration.ofMillis(250)).until(() -> store.added.size() == calls);
            ended(rates, Outcome.Kind.DELIVERED);
            await().until(() -> store.sums().equals(Map.of(MinuteRates.DELIVERED, 2L, MinuteRates.FAILED, 1L)));
        }
    }

    @Test
    void closeWhenSomethingIsLeftAddsItByQueue() {
        MinuteRates rates = new MinuteRates(store.rates(), scheduler, NEVER);
        rates.begun(SomeDelivery.of("orders"), "handler", true);
        rates.begun(SomeDelivery.of("orders"), "handler", false);
        for (Outcome.Kind ending : Outcome.Kind.values()) {
            ended(rates, ending);
        }
        rates.begun(SomeDelivery.of("mails"), "handler", true);

        rates.close();
        rates.close();

        assertThat(store.added).extracting(AddedCounts.Added::queue).containsExactlyInAnyOrder("orders", "mails");
        assertThat(store.sums())
                .containsEntry("delivered", 1L)
                .containsEntry("failed", 1L)
                .containsEntry("dead", 1L);
        long firstDeliveries = store.sums().entrySet().stream()
                .filter(sum -> sum.getKey().matches("\\d+"))
                .mapToLong(Map.Entry::getValue)
                .sum();
        assertThat(firstDeliveries).isEqualTo(2);
    }

    @Test
    void countWhenTheSchedulerIsClosedThrowsNothingAndCloseAddsIt() {
        MinuteRates rates = new MinuteRates(store.rates(), scheduler, NEVER);
        scheduler.close();
        ended(rates, Outcome.Kind.DELIVERED);
        ended(rates, Outcome.Kind.DELIVERED);

        rates.close();

        assertThat(store.sums()).isEqualTo(Map.of(MinuteRates.DELIVERED, 2L));
    }

    @Test
    void closeWhenRedisIsAwayEnds() {
        store.error = new TaskStoreUnavailableException("away", false, null);
        MinuteRates rates = new MinuteRates(store.rates(), scheduler, NEVER);
        ended(rates, Outcome.Kind.DELIVERED);

        rates.close();

        assertThat(store.added).hasSize(1);
    }

    /** Such a thread of the JDK never ends, and would keep the class loader of an application that was undeployed. */
    @Test
    void closeWhenRedisDoesNotAnswerEndsWithoutAThreadOfTheJdk() {
        store.answer = new CompletableFuture<>();
        MinuteRates rates = new MinuteRates(store.rates(), scheduler, NEVER);
        ended(rates, Outcome.Kind.DELIVERED);

        rates.close();

        assertThat(store.added).hasSize(1);
        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .doesNotContain("CompletableFutureDelayScheduler");
    }

    /** A store that records the additions. */
    private static final class AddedCounts {

        private record Added(String queue, Map<String, Long> counts) {}

        private final List<Added> added = new CopyOnWriteArrayList<>();
        private volatile @Nullable RuntimeException error;
        private volatile CompletableFuture<Void> answer = CompletableFuture.completedFuture(null);

        private Map<String, Long> sums() {
            Map<String, Long> sums = new TreeMap<>();
            added.forEach(each -> each.counts().forEach((name, count) -> sums.merge(name, count, Long::sum)));
            return sums;
        }

        @SuppressWarnings("unchecked")
        private RateStore rates() {
            return InterceptedStore.of(
                            (none, method, arguments) -> add((String) arguments[0], (Map<String, Long>) arguments[1]))
                    .rates();
        }

        private CompletableFuture<Void> add(String queue, Map<String, Long> counts) {
            RuntimeException failure = error;
            added.add(new Added(queue, counts));
            return failure == null ? answer : CompletableFuture.failedFuture(failure);
        }
    }
}
