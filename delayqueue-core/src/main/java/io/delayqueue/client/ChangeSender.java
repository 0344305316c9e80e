// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.client;

import io.delayqueue.DelayQueueException;
import io.delayqueue.TaskOutcome;
import io.delayqueue.TaskStoreException;
import io.delayqueue.TaskStoreTimeoutException;
import io.delayqueue.internal.calls.BoundedWait;
import io.delayqueue.internal.calls.TaskFailures;
import io.delayqueue.internal.concurrent.Seam;
import io.delayqueue.internal.sharding.ShardedTasks;
import io.delayqueue.internal.store.NewTask;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.transaction.ChangeResult;
import io.delayqueue.internal.transaction.TaskChange;
import io.delayqueue.queue.QueueCatalog;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Sends changes in {@linkplain ChangeRuns runs}, one after the other: tasks to be stored together, or calls for different tasks side
 * by side. So the changes of a task keep their order.
 */
final class ChangeSender {

    private final QueueCatalog queues;
    private final ShardedTasks shardedTasks;
    private final SingleScheduler singles;
    private final BatchScheduler batches;
    private final BoundedWait wait;

    /** @param queues whose orders count when the changes are sent, whatever they were when the calls were made */
    ChangeSender(
            QueueCatalog queues,
            ShardedTasks shardedTasks,
            SingleScheduler singles,
            BatchScheduler batches,
            BoundedWait wait) {
        this.queues = queues;
        this.shardedTasks = shardedTasks;
        this.singles = singles;
        this.batches = batches;
        this.wait = wait;
    }

    /**
     * After a run for which the server is not there, the others are not made.
     *
     * @param goesOn asked before each run; once it says no, the runs that are left are not made either
     */
    List<ChangeResult> send(List<? extends TaskChange<?>> changes, BooleanSupplier goesOn) {
        ChangeResult[] results = new ChangeResult[changes.size()];
        String whyNot = null;
        for (List<Integer> places : ChangeRuns.of(changes)) {
            if (whyNot == null && !goesOn.getAsBoolean()) {
                whyNot = "there is no time left for it";
            }
            List<TaskChange<?>> run = new ArrayList<>(places.size());
            places.forEach(place -> run.add(changes.get(place)));
            List<ChangeResult> ended = (whyNot == null) ? sendRun(run) : notMade(run, whyNot);
            if (whyNot == null && ended.stream().noneMatch(ChangeSender::isAnswered)) {
                whyNot = "none of those before it was answered";
            }
            for (int i = 0; i < ended.size(); i++) {
                results[places.get(i)] = ended.get(i);
            }
        }
        return Arrays.asList(results);
    }

    private static boolean isAnswered(ChangeResult result) {
        return result.error() == null || !TaskFailures.concernsAll(result.error());
    }

    private List<ChangeResult> sendRun(List<? extends TaskChange<?>> run) {
        if (!(run.get(0) instanceof TaskChange.Schedule first)) {
            return sendByIds(run);
        }
        return run.size() == 1 ? List.of(sendOne(first)) : sendTasks(run);
    }

    /** Shares calls with those of other threads. */
    private ChangeResult sendOne(TaskChange.Schedule change) {
        try {
            return new ChangeResult(
                    change, singles.schedule(routed(change, shardedTasks.placement(change.queue()))), null);
        } catch (DelayQueueException ex) {
            return new ChangeResult(change, null, ex);
        }
    }

    private List<ChangeResult> sendTasks(List<? extends TaskChange<?>> run) {
        ChangeResult[] results = new ChangeResult[run.size()];
        List<RoutedTask> tasks = new ArrayList<>(run.size());
        List<Integer> places = new ArrayList<>(run.size());
        // One placement for all, so that the tasks of one id stay together, in their order.
        Map<String, Function<String, Shard>> placements = new HashMap<>();
        for (int i = 0; i < results.length; i++) {
            TaskChange.Schedule change = (TaskChange.Schedule) run.get(i);
            try {
                tasks.add(routed(change, placements.computeIfAbsent(change.queue(), shardedTasks::placement)));
                places.add(i);
            } catch (RuntimeException ex) {
                // whatever it is: one task must not keep others from being sent
                results[i] = new ChangeResult(change, null, TaskFailures.known(ex));
            }
        }
        List<TaskOutcome> outcomes = batches.schedule(tasks);
        for (int i = 0; i < outcomes.size(); i++) {
            int place = places.get(i);
            results[place] = new ChangeResult(
                    run.get(place), outcomes.get(i).result(), outcomes.get(i).error());
        }
        return Arrays.asList(results);
    }

    private RoutedTask routed(TaskChange.Schedule change, Function<String, Shard> placement) {
        NewTask task = change.task().in(queues.get(change.queue()).order());
        return new RoutedTask(placement.apply(change.id()), task);
    }

    private List<ChangeResult> sendByIds(List<? extends TaskChange<?>> run) {
        List<CompletableFuture<ChangeResult>> lines = new ArrayList<>(run.size());
        for (TaskChange<?> change : run) {
            lines.add(Seam.call(() -> call(change)).handle((outcome, error) -> line(change, outcome, error)));
        }
        try {
            wait.answer(
                    CompletableFuture.allOf(lines.toArray(CompletableFuture[]::new)), run.size() + " calls for tasks");
        } catch (TaskStoreTimeoutException ex) {
            for (int i = 0; i < lines.size(); i++) {
                lines.get(i).complete(new ChangeResult(run.get(i), null, ex));
            }
        }
        return lines.stream().map(CompletableFuture::join).toList();
    }

    private CompletableFuture<?> call(TaskChange<?> change) {
        if (change instanceof TaskChange.Cancel cancel) {
            return shardedTasks.cancel(cancel.queue(), cancel.id(), cancel.replicas());
        }
        if (change instanceof TaskChange.Reschedule reschedule) {
            return shardedTasks.reschedule(
                    reschedule.queue(),
                    reschedule.id(),
                    reschedule.due(),
                    queues.get(reschedule.queue()).order(),
                    reschedule.replicas());
        }
        TaskChange.Update update = (TaskChange.Update) change;
        return shardedTasks.update(update.queue(), update.id(), update.payload(), update.replicas());
    }

    private static ChangeResult line(TaskChange<?> change, @Nullable Object outcome, @Nullable Throwable error) {
        return new ChangeResult(change, outcome, (error == null) ? null : TaskFailures.known(error));
    }

    private static List<ChangeResult> notMade(List<? extends TaskChange<?>> run, String why) {
        return run.stream()
                .map(change -> new ChangeResult(
                        change,
                        null,
                        new TaskStoreException(
                                "Queue '" + change.queue() + "', " + change.verb() + " '" + change.id()
                                        + "': no call was made, as " + why,
                                false,
                                null)))
                .toList();
    }
}
