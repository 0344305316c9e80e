// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.client;

import io.delayqueue.CancelOutcome;
import io.delayqueue.DelayQueueOperations;
import io.delayqueue.Due;
import io.delayqueue.FoundTask;
import io.delayqueue.GroupPage;
import io.delayqueue.GroupPartlyChangedException;
import io.delayqueue.GroupResult;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.TaskGroup;
import io.delayqueue.TaskHandle;
import io.delayqueue.TaskIds;
import io.delayqueue.TaskNotReplicatedException;
import io.delayqueue.TaskState;
import io.delayqueue.TaskStoreException;
import io.delayqueue.UpdateOutcome;
import io.delayqueue.internal.calls.BoundedWait;
import io.delayqueue.internal.calls.Replicated;
import io.delayqueue.internal.sharding.GroupWalk;
import io.delayqueue.internal.sharding.ShardedGroups;
import io.delayqueue.internal.store.GroupChange;
import io.delayqueue.internal.store.GroupPosition;
import io.delayqueue.internal.store.ShardGroupChange;
import io.delayqueue.internal.store.TaskStore;
import io.delayqueue.queue.QueueSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** A group of one queue. */
final class GroupView implements TaskGroup {

    private final DelayQueueOperations operations;
    private final ShardedGroups groups;
    private final BoundedWait wait;
    private final QueueSettings settings;
    private final String name;
    private final Consumer<String> refusal;

    /**
     * @param operations for single tasks of the group
     * @param refusal told of each change, by its verb, before it is sent; throws where it is not to be
     */
    GroupView(
            DelayQueueOperations operations,
            ShardedGroups groups,
            BoundedWait wait,
            QueueSettings settings,
            String name,
            Consumer<String> refusal) {
        this.operations = operations;
        this.groups = groups;
        this.wait = wait;
        this.settings = settings;
        this.name = name;
        this.refusal = refusal;
    }

    @Override
    public String queue() {
        return settings.name();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public TaskHandle task(String id) {
        return new TaskOfGroup(operations, queue(), TaskIds.inGroup(name, id));
    }

    private record TaskOfGroup(DelayQueueOperations operations, String queue, String id) implements TaskHandle {

        @Override
        public CancelOutcome cancel() {
            return operations.cancel(queue, id);
        }

        @Override
        public RescheduleOutcome reschedule(Due due) {
            return operations.reschedule(queue, id, due);
        }

        @Override
        public UpdateOutcome updatePayload(Object payload) {
            return operations.updatePayload(queue, id, payload);
        }

        @Override
        public <T> Optional<FoundTask<T>> find(Class<T> payloadType) {
            return operations.find(queue, id, payloadType);
        }
    }

    @Override
    public long count() {
        return wait.answer(groups.count(queue(), name), what("count")).orElseGet(this::countPages);
    }

    private long countPages() {
        long live = 0;
        String next = "";
        do {
            GroupPage page = list(next);
            live += page.tasks().stream()
                    .filter(task -> task.state() != TaskState.DEAD)
                    .count();
            next = page.next();
        } while (!next.isEmpty());
        return live;
    }

    @Override
    public GroupPage list(String next) {
        return wait.answer(groups.page(queue(), begin(next)), what("list"));
    }

    @Override
    public GroupResult cancel() {
        return change(GroupOperation.cancel());
    }

    @Override
    public GroupResult reschedule(Due due) {
        return change(GroupOperation.due(due));
    }

    @Override
    public GroupResult shift(Duration by) {
        return change(GroupOperation.shift(by));
    }

    @Override
    public GroupResult resume(String resumption) {
        return change(GroupOperation.of(resumption));
    }

    private GroupResult change(GroupOperation operation) {
        refusal.accept(what(operation.verb().name()));
        int replicas = settings.replicas();
        GroupWalk walk = groups.change(queue(), begin(operation.from()), operation::step, replicas);
        long changed = 0;
        long discarded = 0;
        int reached = Integer.MAX_VALUE;
        Set<String> begun = new LinkedHashSet<>();
        while (!walk.isOver()) {
            try {
                Replicated<ShardGroupChange> done =
                        wait.answer(walk.next(), what(operation.verb().name()));
                changed += done.answer().changed();
                discarded += done.answer().discarded();
                begun.addAll(done.answer().begun());
                reached = Math.min(reached, done.replicas());
            } catch (TaskStoreException ex) {
                if (walk.steps() == 0 && !ex.mayHaveBeenApplied()) {
                    throw ex;
                }
                GroupResult done = new GroupResult(changed, new ArrayList<>(begun), discarded, walk.steps());
                throw new GroupPartlyChangedException(
                        what(operation.verb().name()) + ": " + (changed + begun.size() + discarded)
                                + " tasks were reached in "
                                + walk.steps() + " steps, and then: " + ex.getMessage()
                                + ". Call resume with what this exception says",
                        done,
                        operation.resumption(walk.steps(), walk.place()),
                        ex);
            }
        }
        if (reached < replicas) {
            Enum<?> outcome = operation.verb() == GroupChange.Verb.CANCEL
                    ? CancelOutcome.CANCELLED
                    : RescheduleOutcome.RESCHEDULED;
            throw new TaskNotReplicatedException(queue(), name, outcome, replicas, reached);
        }
        return new GroupResult(changed, List.copyOf(begun), discarded, walk.steps());
    }

    private GroupPosition begin(String from) {
        return new GroupPosition(name, from, TaskStore.MAX_BATCH);
    }

    private String what(String verb) {
        return "Queue '" + queue() + "', group '" + name + "', " + verb.toLowerCase(Locale.ROOT);
    }
}
