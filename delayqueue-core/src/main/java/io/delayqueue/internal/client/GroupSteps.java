// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.client;

import io.delayqueue.CancelOutcome;
import io.delayqueue.GroupPartlyChangedException;
import io.delayqueue.GroupResult;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.TaskNotReplicatedException;
import io.delayqueue.TaskStoreException;
import io.delayqueue.internal.calls.BoundedWait;
import io.delayqueue.internal.calls.Replicated;
import io.delayqueue.internal.sharding.ShardedGroups;
import io.delayqueue.internal.sharding.ShardedGroups.GroupWalk;
import io.delayqueue.internal.store.GroupChange;
import io.delayqueue.internal.store.GroupPosition;
import io.delayqueue.internal.store.ShardGroupChange;
import io.delayqueue.internal.store.TaskStore;
import io.delayqueue.internal.transaction.GroupOperation;
import io.delayqueue.internal.transaction.TaskChange;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Changes groups step by step and waits for each reply. */
record GroupSteps(ShardedGroups groups, BoundedWait waiting) {

    /**
     * Changes a group.
     *
     * @throws GroupPartlyChangedException if a step fails; it has the string that resumes the change
     */
    GroupResult carryOut(TaskChange.ChangeGroup change) {
        GroupOperation operation = change.operation();
        GroupWalk walk = groups.change(
                change.queue(),
                new GroupPosition(change.id(), operation.from(), TaskStore.MAX_BATCH),
                operation::step,
                change.replicas());
        long changed = 0;
        long discarded = 0;
        int reached = Integer.MAX_VALUE;
        Set<String> begun = new LinkedHashSet<>();
        while (!walk.isOver()) {
            try {
                Replicated<ShardGroupChange> done = waiting.answer(walk.next(), change.what());
                changed += done.answer().changed();
                discarded += done.answer().discarded();
                begun.addAll(done.answer().begun());
                reached = Math.min(reached, done.replicas());
            } catch (TaskStoreException ex) {
                if (walk.steps() == 0 && !ex.mayHaveBeenApplied()) {
                    throw ex;
                }
                GroupResult done =
                        new GroupResult(changed, new ArrayList<>(begun), discarded, Math.max(1, walk.steps()));
                throw new GroupPartlyChangedException(
                        change.what() + ": " + (changed + begun.size() + discarded) + " tasks were changed in "
                                + walk.steps()
                                + " steps, then a step failed: " + ex.getMessage()
                                + ". Call resume with the string from this exception",
                        done,
                        operation.resumption(walk.steps(), walk.place()),
                        ex);
            }
        }
        if (reached < change.replicas()) {
            Enum<?> outcome = operation.verb() == GroupChange.Verb.CANCEL
                    ? CancelOutcome.CANCELLED
                    : RescheduleOutcome.RESCHEDULED;
            throw new TaskNotReplicatedException(change.queue(), change.id(), outcome, change.replicas(), reached);
        }
        return new GroupResult(changed, List.copyOf(begun), discarded, walk.steps());
    }
}
