// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.client;

import static io.delayqueue.internal.sharding.ScriptedStore.QUEUE;
import static io.delayqueue.internal.sharding.ScriptedStore.stored;
import static io.delayqueue.internal.sharding.ScriptedStore.task;
import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.TaskStoreTimeoutException;
import io.delayqueue.internal.calls.BoundedWait;
import io.delayqueue.internal.calls.StageThreads;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.sharding.ScriptedStore;
import io.delayqueue.internal.sharding.ScriptedStore.Call;
import io.delayqueue.internal.sharding.ShardedTasks;
import io.delayqueue.internal.sharding.Sharding;
import io.delayqueue.internal.sharding.Shardings;
import io.delayqueue.internal.store.NewTask;
import io.delayqueue.internal.store.ScheduleReply;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.transaction.ChangeResult;
import io.delayqueue.internal.transaction.TaskChange;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The requests that are sent, or not sent, when the caller gives up. */
class BulkScheduleTests {

    private static final Duration SHORT = Duration.ofMillis(50);

    private final ScriptedStore store = new ScriptedStore();
    private final CompletableFuture<List<ScheduleReply>> answer = new CompletableFuture<>();
    private final Scheduler calling = Scheduler.forCalls();
    private final ShardedTasks shardedTasks = new ShardedTasks(
            store.store(), Shardings.fixed(queue -> Sharding.initial(1)), Duration.ofSeconds(10), calling);
    private final BatchAnswers answers = new BatchAnswers(new StageThreads(calling, 16));

    BulkScheduleTests() {
        store.on("schedule", call -> answer);
    }

    private List<ChangeResult> schedule(int tasks) {
        return BulkSchedule.send(
                IntStream.range(0, tasks).mapToObj(i -> pending("t" + i, 0)).toList(),
                progress -> ShardBatcher.bulk(shardedTasks, calling, answers, progress),
                new BoundedWait(SHORT));
    }

    private static PendingSchedule pending(String id, int replicas) {
        NewTask task = task(id);
        TaskChange.Schedule change = new TaskChange.Schedule(
                QUEUE, new NewTask(id, task.requestId(), task.due(), task.conflictPolicy(), task.content(), replicas));
        return new PendingSchedule(new Shard(QUEUE, 0), change, true, PendingSchedule.NO_TIMEOUT);
    }

    private List<List<String>> sent() {
        return store.calls("schedule").stream().map(Call::ids).toList();
    }

    private static void assertLate(ChangeResult outcome, boolean mayHaveBeenApplied) {
        assertThat(outcome.error())
                .isInstanceOfSatisfying(
                        TaskStoreTimeoutException.class,
                        ex -> assertThat(ex.mayHaveBeenApplied()).isEqualTo(mayHaveBeenApplied));
    }

    @Test
    void scheduleWhenTheCallerGaveUpMakesNoMoreCalls() {
        int sent = ShardBatcher.BULK_CALLS * ShardBatcher.BULK_TASKS;
        List<ChangeResult> outcomes = schedule(sent + 1);

        assertThat(outcomes.subList(0, sent)).allSatisfy(outcome -> assertLate(outcome, true));
        assertLate(outcomes.get(sent), false);
        answer.complete(IntStream.range(0, ShardBatcher.BULK_TASKS)
                .mapToObj(i -> stored())
                .toList());
        assertThat(store.calls("schedule")).hasSize(ShardBatcher.BULK_CALLS);
    }
}
