// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.delayqueue.TaskStoreTimeoutException;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.queue.LimitSettings;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.QueueSettings;
import io.delayqueue.internal.queue.QueueSettingsBuilder;
import io.delayqueue.internal.queue.Rate;
import io.delayqueue.internal.sharding.Shardings;
import io.delayqueue.internal.store.Acquisition;
import io.delayqueue.internal.store.InterceptedStore;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.TaskStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A store whose stages never complete blocks callers no longer than its calls may take. */
class BoundedEngineCallsTests {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final QueueSettings QUEUE =
            QueueSettingsBuilder.of("orders").shards(2).maxLeaseExpiries(3).build();

    @Test
    void renewWhenTheStoreNeverAnswersEndsByItself() {
        LeaseRenewer renewer = new LeaseRenewer(neverAnswering(), new Scheduler());
        LeasedDelivery delivery = new NotedDeliveries().delivery("a");
        assertTimeoutPreemptively(
                PATIENCE,
                () -> assertThatThrownBy(() -> renewer.renew(delivery, Duration.ofSeconds(1)))
                        .isInstanceOf(TaskStoreTimeoutException.class));
    }

    @Test
    void scanPassWhenTheStoreNeverAnswersEndsByItself() {
        Shardings shardings = Shardings.fixed(new QueueCatalog(List.of(QUEUE)));
        try (Engine engine = new Engine(neverAnswering(), shardings, new Scheduler(), EngineHooks.NONE)) {
            QueueDelivery delivery =
                    new QueueDelivery(QUEUE, CollectingDestination.acknowledging(), InterceptorChain.EMPTY);
            assertTimeoutPreemptively(
                    PATIENCE,
                    () -> assertThatThrownBy(() -> engine.scanOnce(delivery, 10))
                            .isInstanceOf(TaskStoreTimeoutException.class));
        }
    }

    @Test
    void scanPassWhenTheAnswerComesAfterItHasGivenUpReleasesTheTasks() {
        HandMadeStore store = new HandMadeStore();
        CompletableFuture<Acquisition> late = new CompletableFuture<>();
        store.answers.add(late);
        Shardings shardings = Shardings.fixed(new QueueCatalog(List.of(QUEUE)));
        CollectingDestination destination = CollectingDestination.acknowledging();
        try (Engine engine = new Engine(store.store(), shardings, new Scheduler(), EngineHooks.NONE)) {
            assertThatThrownBy(() -> engine.scanOnce(new QueueDelivery(QUEUE, destination, InterceptorChain.EMPTY), 10))
                    .isInstanceOf(TaskStoreTimeoutException.class);

            late.complete(HandMadeStore.acquisition(new Shard("orders", 0), HandMadeStore.task("a", Instant.now(), 0)));

            await().atMost(PATIENCE).untilAsserted(() -> assertThat(store.ended).containsExactly("RELEASE a"));
        }
        assertThat(destination.ids()).isEmpty();
    }

    @Test
    void scanPassWhenTheServerWithTheRateNeverAnswersAsksItOnce() {
        AtomicInteger asked = new AtomicInteger();
        TaskStore store = InterceptedStore.of((none, method, arguments) -> switch (method.getName()) {
            case "callTimeout" -> Duration.ofMillis(50);
            case "serverOf" -> String.valueOf(arguments[0]);
            case "takeTokens" -> {
                asked.incrementAndGet();
                yield new CompletableFuture<>();
            }
            case "releaseLost" -> false;
            default -> throw new UnsupportedOperationException(method.getName());
        });
        QueueSettings rated = QueueSettingsBuilder.of(QUEUE)
                .limits(new LimitSettings(Rate.parse("5/s"), null, null, null))
                .build();
        Shardings shardings = Shardings.fixed(new QueueCatalog(List.of(rated)));
        try (Engine engine = new Engine(store, shardings, new Scheduler(), EngineHooks.NONE)) {
            QueueDelivery delivery =
                    new QueueDelivery(rated, CollectingDestination.acknowledging(), InterceptorChain.EMPTY);
            assertTimeoutPreemptively(
                    PATIENCE,
                    () -> assertThatThrownBy(() -> engine.scanOnce(delivery, 10))
                            .isInstanceOf(TaskStoreTimeoutException.class));
        }
        assertThat(asked).as("its two shards are on other servers").hasValue(1);
    }

    private static TaskStore neverAnswering() {
        return InterceptedStore.of((none, method, arguments) -> switch (method.getName()) {
            case "callTimeout" -> Duration.ofMillis(50);
            case "serverOf" -> TaskStore.ONLY_SERVER;
            case "releaseLost" -> false;
            default -> new CompletableFuture<>();
        });
    }
}
