// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.client;

import static io.delayqueue.internal.sharding.ScriptedStore.QUEUE;
import static io.delayqueue.internal.sharding.ScriptedStore.stored;
import static io.delayqueue.internal.sharding.ScriptedStore.task;
import static java.util.concurrent.CompletableFuture.failedFuture;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.TaskStoreException;
import io.delayqueue.TaskStoreTimeoutException;
import io.delayqueue.TaskStoreUnavailableException;
import io.delayqueue.internal.calls.StageThreads;
import io.delayqueue.internal.concurrent.CallBatcher;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.sharding.ScriptedStore;
import io.delayqueue.internal.sharding.ScriptedStore.Call;
import io.delayqueue.internal.sharding.ShardedTasks;
import io.delayqueue.internal.sharding.Sharding;
import io.delayqueue.internal.sharding.Shardings;
import io.delayqueue.internal.store.ScheduleReply;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.transaction.TaskChange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Which tasks share calls, over a store that answers when the test says. */
class ShardBatcherTests {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration SHORT = Duration.ofMillis(1500);

    private final ScriptedStore store = new ScriptedStore();
    private final Queue<Runnable> open = new ConcurrentLinkedQueue<>();
    private final Scheduler calling = Scheduler.forCalls();
    private final CallBatcher<PendingSchedule> batcher = ShardBatcher.shared(
            new ShardedTasks(store.store(), Shardings.fixed(queue -> Sharding.initial(1)), PATIENCE, calling),
            calling,
            new BatchAnswers(new StageThreads(calling, 16)));

    ShardBatcherTests() {
        answerLater(ShardBatcherTests::sendAndStore);
    }

    private static CompletableFuture<List<ScheduleReply>> sendAndStore(Call call) {
        return call.permit().orElseThrow().take()
                ? stored(call)
                : failedFuture(new TaskStoreTimeoutException("nobody waits", false, null));
    }

    /** Each call is answered when the test calls {@link #answerNext}. */
    private void answerLater(Function<Call, CompletableFuture<List<ScheduleReply>>> answer) {
        store.on("schedule", call -> {
            CompletableFuture<List<ScheduleReply>> waiting = new CompletableFuture<>();
            open.add(() -> answer.apply(call).whenComplete((replies, error) -> {
                if (error == null) {
                    waiting.complete(replies);
                } else {
                    waiting.completeExceptionally(error);
                }
            }));
            return waiting;
        });
    }

    private void answerNext() {
        open.remove().run();
    }

    private CompletableFuture<ScheduleReply> offer(String id) {
        return offer(id, PATIENCE);
    }

    private CompletableFuture<ScheduleReply> offer(String id, Duration timeout) {
        PendingSchedule schedule = pending(id, timeout);
        batcher.offer(schedule);
        return schedule.answer();
    }

    private static PendingSchedule pending(String id, Duration timeout) {
        return pending(id, timeout, true);
    }

    private static PendingSchedule pending(String id, Duration timeout, boolean callerWaits) {
        return new PendingSchedule(
                new Shard(QUEUE, 0), new TaskChange.Schedule(QUEUE, task(id)), callerWaits, timeout.toNanos());
    }

    /** Keeps both possible calls in progress, so that an offered task waits longer than the task of a single caller. */
    private void keepBusyFor(Runnable offering) {
        offer("t0");
        offer("t1");
        long begun = System.nanoTime();
        offering.run();
        await().until(() -> System.nanoTime() - begun > TimeUnit.MILLISECONDS.toNanos(60));
    }

    private List<List<String>> sent() {
        return store.calls("schedule").stream().map(Call::ids).toList();
    }

    @Test
    void offerWhenTheServerIsTheReasonFailsAllAndSendsNoneAgain() {
        answerLater(call -> failedFuture(new TaskStoreUnavailableException("down", false, null)));
        offer("t0");
        offer("t1");
        CompletableFuture<ScheduleReply> one = offer("one");
        CompletableFuture<ScheduleReply> two = offer("two");

        while (!open.isEmpty()) {
            answerNext();
        }

        assertThat(sent()).hasSize(3);
        assertThat(one)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(TaskStoreUnavailableException.class)
                .withMessageContaining("'one'");
        assertThat(two).isCompletedExceptionally();
    }

    @Test
    void offerWhenPartOfItsCallIsStoredFailsOnlyTheOtherTasks() {
        store.on(
                "schedule",
                call -> call.shard() == 0
                        ? failedFuture(new TaskStoreUnavailableException("down", false, null))
                        : stored(call));
        CallBatcher<PendingSchedule> ofTwoShards = ShardBatcher.bulk(
                new ShardedTasks(store.store(), Shardings.fixed(queue -> Sharding.initial(2)), PATIENCE, calling),
                calling,
                new BatchAnswers(new StageThreads(calling, 16)),
                done -> {});
        PendingSchedule lost = pending(ScriptedStore.idIn(0, 2), PATIENCE, false);
        PendingSchedule kept = pending(ScriptedStore.idIn(1, 2), PATIENCE, false);

        ofTwoShards.offerAll(List.of(lost, kept));

        assertThat(kept.answer()).succeedsWithin(PATIENCE).isEqualTo(stored());
        assertThat(lost.answer())
                .failsWithin(PATIENCE)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(TaskStoreUnavailableException.class);
    }

    @Test
    void offerWhenItsTimeIsOverBeforeItIsSentFailsWithoutBeingSent() {
        offer("t0");
        offer("t1");
        CompletableFuture<ScheduleReply> late = offer("late", Duration.ZERO);

        answerNext();

        assertThat(late)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOfSatisfying(
                        TaskStoreTimeoutException.class,
                        ex -> assertThat(ex.mayHaveBeenApplied()).isFalse());
        assertThat(sent()).hasSize(2);
    }

    @Test
    void offerWhenItsCallCouldNotBeSentInTimeSaysSoAndIsNeverSent() {
        List<CompletableFuture<ScheduleReply>> late = new ArrayList<>();
        keepBusyFor(() -> late.add(offer("late", SHORT)));
        CompletableFuture<ScheduleReply> patient = offer("patient");
        store.holdBack();
        answerNext();

        assertThat(late.get(0))
                .failsWithin(PATIENCE)
                .withThrowableThat()
                .havingCause()
                .isInstanceOfSatisfying(
                        TaskStoreUnavailableException.class,
                        ex -> assertThat(ex.mayHaveBeenApplied()).isFalse())
                .withMessageContaining("'late'");
        // Redis can be reached after all.
        while (!open.isEmpty()) {
            answerNext();
        }
        assertThat(patient).isCompletedWithValue(stored());
        assertThat(sent())
                .containsExactly(List.of("t0"), List.of("t1"), List.of("late", "patient"), List.of("patient"));
    }

    @Test
    void giveUpWhenTheCallWaitsForAConnectionKeepsItFromBeingSent() {
        store.holdBack();
        PendingSchedule unsent = pending("a", PATIENCE);
        batcher.offer(unsent);

        assertThat(unsent.giveUp())
                .isInstanceOfSatisfying(
                        TaskStoreUnavailableException.class,
                        ex -> assertThat(ex.mayHaveBeenApplied()).isFalse());
        assertThat(store.calls("schedule").get(0).permit().orElseThrow().take()).isFalse();
    }

    @Test
    void giveUpWhenTheCallMayHaveRunKeepsTheTaskFromBeingSentAlone() {
        answerLater(call -> failedFuture(new TaskStoreException("refused", false, null)));
        offer("t0");
        offer("t1");
        PendingSchedule late = pending("late", PATIENCE);
        batcher.offer(late);
        offer("other");
        answerNext();
        assertThat(late.giveUp())
                .isInstanceOfSatisfying(
                        TaskStoreTimeoutException.class,
                        ex -> assertThat(ex.mayHaveBeenApplied()).isTrue());

        while (!open.isEmpty()) {
            answerNext();
        }

        assertThat(sent()).containsExactly(List.of("t0"), List.of("t1"), List.of("late", "other"), List.of("other"));
    }

    @Test
    void offerWhenACallHasFailedSendsNothingMoreOfIt() {
        answerLater(call -> failedFuture(new TaskStoreTimeoutException("late", true, null)));
        offer("a");

        answerNext();

        assertThat(store.calls("schedule").get(0).permit().orElseThrow().take()).isFalse();
    }
}
