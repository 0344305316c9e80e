// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.TaskStoreUnavailableException;
import io.delayqueue.delivery.TaskDied;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.sharding.Sharding;
import io.delayqueue.internal.sharding.Shardings;
import io.delayqueue.internal.store.InterceptedStore;
import io.delayqueue.internal.store.Settlement;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.TaskStore;
import java.time.Duration;
import java.util.AbstractList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Coalescing and trying again, over a store that fails as the test says: no server fails to order. */
class ShardSettlerTests {

    private static final Shard SHARD = new Shard("orders", 0);
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final ConcurrentLinkedQueue<List<Settlement>> calls = new ConcurrentLinkedQueue<>();
    private final AtomicInteger done = new AtomicInteger();
    private final Scheduler scheduler = new Scheduler();
    private EngineHooks hooks = EngineHooks.NONE;
    private ShardSettler settler;

    @AfterEach
    void close() {
        scheduler.close();
    }

    @Test
    void settleWhenTheStoreIsUnavailableIsTriedAgainUntilItAnswers() {
        settler = settler(batch -> calls.size() < 4 ? unavailable() : yes(batch));
        settle("a");
        await().atMost(PATIENCE).until(() -> done.get() == 1);
        assertThat(calls).hasSize(4);
    }

    @Test
    void settleWhenTheStoreThrowsOrAnswersForOthersGoesOn() {
        settler = settler(batch -> switch (calls.size()) {
            case 1 -> throw new IllegalStateException("no thread for you");
            case 2 -> throw new OutOfMemoryError("nor for you");
            case 3 -> CompletableFuture.completedFuture(List.of());
            default -> yes(batch);
        });
        settle("a");
        settle("b");
        await().atMost(PATIENCE).until(() -> done.get() == 2);
        settle("c");
        await().atMost(PATIENCE).until(() -> done.get() == 3);
    }

    @Test
    void settleWhenAnAnswerCannotBeProcessedGoesOn() {
        List<Boolean> unreadable = new AbstractList<>() {
            @Override
            public Boolean get(int index) {
                throw new StackOverflowError();
            }

            @Override
            public int size() {
                return 1;
            }
        };
        settler = settler(batch -> calls.size() == 1 ? CompletableFuture.completedFuture(unreadable) : yes(batch));
        settleDeath("a");
        settle("b");
        await().atMost(PATIENCE).until(() -> done.get() == 2);
    }

    @Test
    void settleWhenTheAnswerToADeathWasLostTellsOfItNevertheless() {
        assertThat(toldOfADeath(new TaskStoreUnavailableException("down", true, null)))
                .containsExactly("a", "b");
    }

    @Test
    void settleWhenADeathWasNotSentAndThenChangesNothingTellsOfNone() {
        assertThat(toldOfADeath(new TaskStoreUnavailableException("down", false, null)))
                .containsExactly("b");
    }

    /**
     * Returns the reported deaths if the first call for a fails with this exception, the next call changes nothing, and
     * b behaves normally.
     */
    private List<String> toldOfADeath(TaskStoreUnavailableException failure) {
        List<String> told = new CopyOnWriteArrayList<>();
        hooks = new EngineHooks(DeliveryEvents.NONE, death -> told.add(death.id()), null);
        settler = settler(batch -> switch (calls.size()) {
            case 1 -> CompletableFuture.failedFuture(failure);
            case 2 -> CompletableFuture.completedFuture(List.of(false));
            default -> yes(batch);
        });
        settleDeath("a");
        await().atMost(PATIENCE).until(() -> done.get() == 1);
        settleDeath("b");
        await().atMost(PATIENCE).until(() -> told.contains("b"));
        return told;
    }

    private void settleDeath(String id) {
        Settlement end = Settlement.dead(id, 1, false, "never").discarding();
        settler.settle(end, PATIENCE, done::incrementAndGet, new TaskDied("orders", id, "never"), true);
    }

    @Test
    void settleWhenPatienceEndsIsGivenUpAndLetsOthersThrough() {
        AtomicInteger healthy = new AtomicInteger();
        settler = settler(batch -> healthy.get() == 0 ? unavailable() : yes(batch));
        settler.settle(Settlement.ack("a", 1), Duration.ofMillis(100), done::incrementAndGet, null, false);
        await().atMost(PATIENCE).until(() -> done.get() == 1);
        healthy.set(1);
        settle("b");
        await().atMost(PATIENCE).until(() -> done.get() == 2);
    }

    @Test
    void settleWhenReleasesAreAmongThemGoesOutInOneCall() {
        CompletableFuture<List<Boolean>> first = new CompletableFuture<>();
        settler = settler(batch -> calls.size() == 1 ? first : yes(batch));
        settle("a");
        for (int i = 0; i < 50; i++) {
            settler.settle(Settlement.release("r" + i, 1), PATIENCE, done::incrementAndGet, null, false);
            settle("s" + i);
        }
        first.complete(List.of(true));
        await().atMost(PATIENCE).until(() -> done.get() == 101);
        assertThat(calls).extracting(List::size).containsExactly(1, 100);
    }

    @Test
    void settleWhenStackTracesAreLargeSendsThemInSeveralCalls() {
        CompletableFuture<List<Boolean>> first = new CompletableFuture<>();
        settler = settler(batch -> calls.size() == 1 ? first : yes(batch));
        settle("a");
        for (int i = 0; i < 100; i++) {
            Settlement end = Settlement.dead("d" + i, 1, false, "never").withStackTrace("x".repeat(16 * 1024));
            settler.settle(end, PATIENCE, done::incrementAndGet, null, false);
        }
        first.complete(List.of(true));
        await().atMost(PATIENCE).until(() -> done.get() == 101);
        assertThat(calls).extracting(List::size).containsExactly(1, 64, 36);
    }

    @Test
    void settleWhenWhatWaitsForItThrowsDoesNotStopTheOthers() {
        settler = settler(ShardSettlerTests::yes);
        settler.settle(
                Settlement.ack("a", 1),
                PATIENCE,
                () -> {
                    throw new IllegalStateException("the callback's own");
                },
                null,
                false);
        settle("b");
        await().atMost(PATIENCE).until(() -> done.get() == 1);
    }

    private void settle(String id) {
        settler.settle(Settlement.ack(id, 1), PATIENCE, done::incrementAndGet, null, false);
    }

    private static CompletableFuture<List<Boolean>> yes(List<?> batch) {
        return CompletableFuture.completedFuture(Collections.nCopies(batch.size(), true));
    }

    private static CompletableFuture<List<Boolean>> unavailable() {
        return CompletableFuture.failedFuture(new TaskStoreUnavailableException("down", true, null));
    }

    private ShardSettler settler(Function<List<?>, CompletableFuture<List<Boolean>>> behaviour) {
        TaskStore store = InterceptedStore.of((none, method, arguments) -> {
            List<?> batch = (List<?>) arguments[1];
            calls.add(batch.stream().map(Settlement.class::cast).toList());
            return behaviour.apply(batch);
        });
        return new EngineParts(store, Shardings.fixed(queue -> Sharding.initial(1)), scheduler, hooks).settler(SHARD);
    }
}
