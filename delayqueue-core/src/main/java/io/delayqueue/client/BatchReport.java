// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.client;

import io.delayqueue.TaskOutcome;
import io.delayqueue.internal.calls.BoundedWait;
import io.delayqueue.internal.calls.CallsInTurn;
import io.delayqueue.internal.calls.StoreAnswers;
import io.delayqueue.internal.calls.TaskFailures;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What has become of each task of a batch. The caller's thread waits for it as long as answers come: when none has for
 * longer than a call may take, the tasks without one are told to be late, and no more are sent.
 */
final class BatchReport {

    private final List<RoutedTask> tasks;
    private final @Nullable TaskOutcome[] outcomes;
    private final boolean[] sent;
    private boolean ended;
    private final CallsInTurn turns = new CallsInTurn();

    BatchReport(List<RoutedTask> tasks) {
        this.tasks = tasks;
        this.outcomes = new TaskOutcome[tasks.size()];
        this.sent = new boolean[tasks.size()];
    }

    /** These are sent now. Answers false if nobody waits any longer, and then they must not be. */
    synchronized boolean take(List<Integer> positions) {
        if (!ended) {
            positions.forEach(position -> sent[position] = true);
        }
        return !ended;
    }

    synchronized void tell(int position, TaskOutcome outcome) {
        turns.goOn();
        if (!ended) {
            outcomes[position] = outcome;
        }
    }

    /** One outcome for each task, in their order. */
    List<TaskOutcome> await(CompletableFuture<Void> all, BoundedWait wait) {
        if (wait.awaitDone(all, turns)) {
            StoreAnswers.await(all);
        }
        return end();
    }

    private synchronized List<TaskOutcome> end() {
        ended = true;
        for (int i = 0; i < outcomes.length; i++) {
            if (outcomes[i] == null) {
                RoutedTask task = tasks.get(i);
                outcomes[i] = task.failed(TaskFailures.late(task.shard(), task.id(), sent[i]));
            }
        }
        return List.of(Arrays.copyOf(outcomes, outcomes.length, TaskOutcome[].class));
    }
}
