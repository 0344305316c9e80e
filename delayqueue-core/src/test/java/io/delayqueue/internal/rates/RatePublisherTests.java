// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.TaskStoreException;
import io.delayqueue.TaskStoreUnavailableException;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.engine.DeliveryEvents.Ending;
import io.delayqueue.internal.engine.SomeDelivery;
import io.delayqueue.internal.store.RateCounts;
import io.delayqueue.internal.store.RateMinute;
import io.delayqueue.internal.store.RateStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is told of what was counted, and when. */
class RatePublisherTests {

    private static final Duration OFTEN = Duration.ofMillis(50);

    private final Kept kept = new Kept();
    private final RatePublisher publisher =
            new RatePublisher(kept, Set.of("orders", "mails"), Duration.ofHours(6), OFTEN, new Scheduler());

    @AfterEach
    void close() {
        publisher.close();
    }

    private void delivered() {
        publisher.ended(SomeDelivery.of("orders"), "handler", Ending.DELIVERED, false);
    }

    private void awaitSome(int calls) {
        await().pollInterval(Duration.ofMillis(5)).until(() -> kept.added.size() >= calls);
    }

    @Test
    void tellWhenSomethingWasCountedTellsOfThatQueueOnceAndThenOfNothing() {
        delivered();
        publisher.ended(SomeDelivery.of("orders"), "handler", Ending.FAILED, false);
        publisher.ended(SomeDelivery.of("orders"), "handler", Ending.DEAD, false);
        publisher.ended(SomeDelivery.of("orders"), "handler", Ending.RELEASED, false);
        publisher.begun(SomeDelivery.of("orders"), "handler", true);
        publisher.begun(SomeDelivery.of("orders"), "handler", false);
        publisher.begun(SomeDelivery.of("unknown"), "handler", true);
        kept.scheduled = 7;
        publisher.start();
        awaitSome(1);
        delivered();
        awaitSome(2);
        publisher.close();

        assertThat(kept.added).hasSize(2).allMatch(added -> added.queue().equals("orders"));
        RateCounts first = kept.added.get(0).counts();
        assertThat(first).isEqualTo(new RateCounts(7, 1, 1, 1, first.lateness()));
        assertThat(first.lateness().values()).containsExactly(1L);
        assertThat(kept.added.get(1).counts()).isEqualTo(new RateCounts(0, 1, 0, 0, Map.of()));
    }

    @Test
    void tellWhenItWasNotTakenTellsAgainAndWhenItMayHaveBeenTellsNoMore() {
        kept.error = new TaskStoreUnavailableException("away", false, null);
        delivered();
        publisher.start();
        awaitSome(2);
        kept.error = null;
        int failed = kept.added.size();
        awaitSome(failed + 1);
        assertThat(kept.added).allMatch(added -> added.counts().delivered() == 1);

        kept.error = new TaskStoreException("no answer", true, null);
        delivered();
        int before = kept.added.size();
        awaitSome(before + 1);
        kept.error = null;
        publisher.ended(SomeDelivery.of("orders"), "handler", Ending.FAILED, false);
        awaitSome(before + 2);
        assertThat(kept.added.get(kept.added.size() - 1).counts()).isEqualTo(new RateCounts(0, 0, 1, 0, Map.of()));
    }

    @Test
    void tellWhenTheLastCallIsNotAnsweredWaitsForThat() {
        kept.answer = new CompletableFuture<>();
        delivered();
        publisher.start();
        awaitSome(1);
        delivered();
        await().during(OFTEN.multipliedBy(5)).until(() -> kept.added.size() == 1);

        kept.answer.complete(Instant.EPOCH);

        awaitSome(2);
        assertThat(kept.added.get(1).counts().delivered()).isOne();
    }

    @Test
    void closeWhenSomethingIsLeftTellsIt() {
        RatePublisher rarely =
                new RatePublisher(kept, Set.of("orders"), Duration.ofHours(6), Duration.ofHours(1), new Scheduler());
        rarely.start();
        rarely.ended(SomeDelivery.of("orders"), "handler", Ending.DELIVERED, false);

        rarely.close();

        assertThat(kept.added).hasSize(1);
    }

    /** A store that answers as it is told. */
    private static final class Kept implements RateStore {

        private record Added(String queue, RateCounts counts) {}

        private final List<Added> added = new CopyOnWriteArrayList<>();
        private volatile @Nullable RuntimeException error;
        private volatile CompletableFuture<Instant> answer = CompletableFuture.completedFuture(Instant.EPOCH);
        private volatile long scheduled;

        @Override
        public CompletableFuture<Instant> add(String queue, Duration time, RateCounts counts) {
            RuntimeException failure = error;
            added.add(new Added(queue, counts));
            return failure == null ? answer : CompletableFuture.failedFuture(failure);
        }

        @Override
        public CompletableFuture<List<RateMinute>> minutes(String queue, Instant from, Instant until) {
            return CompletableFuture.completedFuture(List.of());
        }

        @Override
        public long scheduled(String queue) {
            return queue.equals("orders") ? scheduled : 0;
        }
    }
}
