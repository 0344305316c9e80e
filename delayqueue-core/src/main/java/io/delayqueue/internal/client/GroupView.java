// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.client;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.Due;
import io.delayqueue.GroupResult;
import io.delayqueue.ListedTask;
import io.delayqueue.TaskGroup;
import io.delayqueue.TaskHandle;
import io.delayqueue.TaskIds;
import io.delayqueue.TaskPage;
import io.delayqueue.TaskState;
import io.delayqueue.internal.calls.BoundedWait;
import io.delayqueue.internal.sharding.ShardedGroups;
import io.delayqueue.internal.store.GroupPosition;
import io.delayqueue.internal.store.StoredTask;
import io.delayqueue.internal.store.StoredTaskView;
import io.delayqueue.internal.store.TaskStore;
import io.delayqueue.internal.transaction.GroupOperation;
import io.delayqueue.internal.transaction.TaskChange;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/**
 * A group of a queue.
 *
 * @param operations operations on single tasks of the group
 * @param replicas number of replicas that must confirm a change
 * @param changes makes or defers each change
 */
record GroupView(
        DelayQueueOperations operations,
        ShardedGroups groups,
        BoundedWait waiting,
        String queue,
        int replicas,
        Optional<String> key,
        String name,
        Function<TaskChange.ChangeGroup, GroupResult> changes)
        implements TaskGroup {

    @Override
    public TaskHandle task(String id) {
        return new TaskHandle(operations, queue, TaskIds.of(key.orElse(null), name, id));
    }

    @Override
    public long count() {
        return waiting.answer(groups.count(queue, prefix()), what("count")).orElseGet(this::countPages);
    }

    private long countPages() {
        long live = 0;
        String position = "";
        while (position != null) {
            TaskPage<ListedTask> tasks = list(position);
            live += tasks.content().stream()
                    .filter(task -> task.state() != TaskState.DEAD)
                    .count();
            position = tasks.position();
        }
        return live;
    }

    @Override
    public TaskPage<ListedTask> list(String position) {
        TaskPage<StoredTask> tasks = waiting.answer(
                groups.page(queue, new GroupPosition(prefix(), ofThisGroup(position), TaskStore.MAX_BATCH)),
                what("list"));
        return new TaskPage<>(
                tasks.content().stream()
                        .<ListedTask>map(task -> new StoredTaskView.Listed(queue, task))
                        .toList(),
                tasks.position());
    }

    @Override
    public GroupResult cancel() {
        return changes.apply(change(GroupOperation.cancel()));
    }

    @Override
    public GroupResult reschedule(Due due) {
        return changes.apply(change(GroupOperation.due(due)));
    }

    @Override
    public GroupResult shift(Duration by) {
        return changes.apply(change(GroupOperation.shift(by)));
    }

    @Override
    public GroupResult resume(String resumption) {
        GroupOperation operation = GroupOperation.of(resumption);
        ofThisGroup(operation.from());
        return changes.apply(change(operation));
    }

    private TaskChange.ChangeGroup change(GroupOperation operation) {
        return new TaskChange.ChangeGroup(queue, prefix(), operation, replicas);
    }

    /** Returns the position. A position of another group would read or change tasks of other groups. */
    private String ofThisGroup(String position) {
        if (!position.isEmpty() && !position.startsWith(prefix()) && !position.startsWith("D" + prefix())) {
            throw new IllegalArgumentException(
                    "Queue '" + queue + "', group '" + prefix() + "': this position is not one of this group");
        }
        return position;
    }

    private String prefix() {
        return TaskIds.groupPrefix(key.orElse(null), name);
    }

    private String what(String verb) {
        return "Queue '" + queue + "', group '" + prefix() + "', " + verb;
    }
}
