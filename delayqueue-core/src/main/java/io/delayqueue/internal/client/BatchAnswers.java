// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.client;

import io.delayqueue.DelayQueueException;
import io.delayqueue.internal.calls.StageThreads;
import io.delayqueue.internal.calls.TaskFailures;
import io.delayqueue.internal.store.ScheduleReply;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reports outcomes to callers, each on the right thread. */
record BatchAnswers(StageThreads threads) {

    /**
     * Completes the callers. Returns the tasks to resend in separate calls, because it is unknown which task of the
     * batch was refused.
     */
    List<PendingSchedule> tell(
            List<PendingSchedule> batch, @Nullable List<ScheduleReply> replies, @Nullable Throwable error) {
        if (error == null && replies != null && replies.size() == batch.size()) {
            tellStored(batch, replies);
            return List.of();
        }
        Throwable reason =
                (error != null) ? error : new IllegalStateException(batch.size() + " tasks got the replies " + replies);
        return tellFailed(batch.stream().filter(item -> !item.isStored()).toList(), TaskFailures.known(reason));
    }

    private void tellStored(List<PendingSchedule> batch, List<ScheduleReply> replies) {
        List<Runnable> onThreads = new ArrayList<>(0);
        for (int i = 0; i < batch.size(); i++) {
            PendingSchedule item = batch.get(i);
            ScheduleReply reply = replies.get(i);
            if (item.callerWaits()) {
                item.answer().complete(reply);
            } else if (!item.isStored()) {
                onThreads.add(() -> item.answer().complete(reply));
            }
        }
        threads.runAll(onThreads);
    }

    /** Notifies the caller of a stored task while other tasks of its call still wait or fail. */
    void tellStored(PendingSchedule item, ScheduleReply reply) {
        item.noteStored();
        onItsThread(item, () -> item.answer().complete(reply));
    }

    private void onItsThread(PendingSchedule item, Runnable completion) {
        if (item.callerWaits()) {
            completion.run();
        } else {
            threads.run(completion);
        }
    }

    private List<PendingSchedule> tellFailed(List<PendingSchedule> items, DelayQueueException failure) {
        if (items.size() == 1) {
            fail(items, item -> failure);
            return List.of();
        }
        if (!TaskFailures.concernsAll(failure)) {
            return items;
        }
        fail(items, item -> TaskFailures.ofTask(failure, item.shard().queue(), item.id()));
        return List.of();
    }

    /** Fails the tasks that are not known to be stored. */
    void fail(List<PendingSchedule> items, Function<PendingSchedule, DelayQueueException> failure) {
        for (PendingSchedule item : items) {
            if (item.isStored()) {
                continue;
            }
            DelayQueueException its = failure.apply(item);
            onItsThread(item, () -> item.answer().completeExceptionally(its));
        }
    }
}
