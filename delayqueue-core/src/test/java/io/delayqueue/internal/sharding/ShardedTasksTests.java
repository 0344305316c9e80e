// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.sharding;

import static io.delayqueue.internal.sharding.ScriptedStore.QUEUE;
import static io.delayqueue.internal.sharding.ScriptedStore.idIn;
import static io.delayqueue.internal.sharding.ScriptedStore.task;
import static java.util.concurrent.CompletableFuture.completedFuture;
import static java.util.concurrent.CompletableFuture.failedFuture;
import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.CancelOutcome;
import io.delayqueue.TaskIds;
import io.delayqueue.TaskStoreTimeoutException;
import io.delayqueue.TaskStoreUnavailableException;
import io.delayqueue.internal.calls.Replicated;
import io.delayqueue.internal.calls.SendPermit;
import io.delayqueue.internal.calls.ShardingChangedException;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.QueueSettingsBuilder;
import io.delayqueue.internal.store.KeyLimitsChange;
import io.delayqueue.internal.store.NewTask;
import io.delayqueue.internal.store.ScheduleReply;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.ShardingRecord;
import io.delayqueue.internal.store.StoredKeyLimits;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Where calls go under each sharding, over a store that answers as the test says. */
class ShardedTasksTests {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration SHORT = Duration.ofMillis(300);

    private static final Sharding FOUR = new Sharding(5, 4, 4, 0);
    private static final Sharding GROWING = new Sharding(6, 4, 4, 2);

    private final ScriptedStore store = new ScriptedStore().on("schedule", ScriptedStore::stored);
    private final Scheduler threads = Scheduler.forCalls();
    private final CompletableFuture<ShardingRecord> read = new CompletableFuture<>();

    private ShardedTasks under(Sharding sharding) {
        return under(sharding, PATIENCE);
    }

    private ShardedTasks under(Sharding sharding, Duration patience) {
        return new ShardedTasks(store.store(), Shardings.fixed(queue -> sharding), patience, threads);
    }

    private static CompletableFuture<List<ScheduleReply>> schedule(ShardedTasks in, List<NewTask> tasks) {
        return in.schedule(QUEUE, tasks, new SendPermit(), (reply, task) -> {});
    }

    @Test
    void scheduleWhenTheNewerShardingCannotBeReadFailsAtOnce() {
        store.on("schedule", call -> failedFuture(new ShardingChangedException("older", "9:x", new Throwable())));

        assertThat(schedule(under(FOUR), List.of(task("a"))))
                .failsWithin(PATIENCE)
                .withThrowableThat()
                .havingCause()
                .withMessageContaining("newer version");
    }

    @Test
    void scheduleWhenTheStoreNeverAnswersUnderAChangeFailsInTime() {
        store.on("schedule", call -> new CompletableFuture<>());

        assertThat(schedule(under(GROWING, SHORT), List.of(task("a"))))
                .failsWithin(PATIENCE)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(TaskStoreTimeoutException.class);
    }

    @Test
    void callsWhenTheShardingIsReadTooLateAreNotSent() {
        store.on("cancel", call -> completedFuture(new Replicated<>(CancelOutcome.CANCELLED, 0)));
        Shardings shardings = unread();
        ShardedTasks tasks = new ShardedTasks(store.store(), shardings, SHORT, threads);

        for (CompletableFuture<?> call :
                List.of(schedule(tasks, List.of(task("a"))), tasks.cancel(QUEUE, "a", null, 0))) {
            assertThat(call)
                    .failsWithin(PATIENCE)
                    .withThrowableThat()
                    .havingCause()
                    .isInstanceOfSatisfying(
                            TaskStoreUnavailableException.class,
                            ex -> assertThat(ex.mayHaveBeenApplied()).isFalse());
        }
        read.complete(new ShardingRecord(false, FOUR.format()));

        assertThat(store.calls("schedule")).isEmpty();
        assertThat(store.calls("cancel")).isEmpty();
    }

    /** While tasks migrate, a key may have tasks in two shards. */
    @Test
    void keyLimitsWhenOnlyTheSecondShardFailsSayThatAPartWasChanged() {
        String key = Stream.iterate(0, i -> i + 1)
                .map(i -> "key-" + i)
                .filter(each -> GROWING.homesOf(TaskIds.keyPrefix(each)).size() == 2)
                .findFirst()
                .orElseThrow();
        StoredKeyLimits limits = new StoredKeyLimits("", "", true);
        int second = GROWING.homesOf(TaskIds.keyPrefix(key)).get(1);
        for (boolean changed : List.of(true, false)) {
            store.on(
                    "keyLimits",
                    call -> changed && call.shard() != second
                            ? completedFuture(limits)
                            : failedFuture(new TaskStoreUnavailableException("away", false, null)));

            assertThat(under(GROWING).keyLimits(QUEUE, key, KeyLimitsChange.OPEN))
                    .failsWithin(PATIENCE)
                    .withThrowableThat()
                    .havingCause()
                    .isInstanceOfSatisfying(
                            TaskStoreUnavailableException.class,
                            ex -> assertThat(ex.mayHaveBeenApplied()).isEqualTo(changed));
        }
    }

    @Test
    void placementWhenTheShardingChangesStaysAsItWas() {
        Shardings shardings = Shardings.fixed(queue -> Sharding.initial(1));
        ShardedTasks tasks = new ShardedTasks(store.store(), shardings, PATIENCE, threads);
        Function<String, Shard> before = tasks.placement(QUEUE);
        String id = idIn(3, 4);

        shardings.adopt(QUEUE, FOUR);

        assertThat(before.apply(id)).isEqualTo(new Shard(QUEUE, 0));
        assertThat(tasks.placement(QUEUE).apply(id)).isEqualTo(new Shard(QUEUE, 3));
    }

    /** Shardings whose record is read when the test completes it. */
    private Shardings unread() {
        store.on("sharding", call -> read);
        return new Shardings(
                store.store().shardings(),
                new QueueCatalog(List.of(QueueSettingsBuilder.withDefaults(QUEUE))),
                new Scheduler());
    }
}
