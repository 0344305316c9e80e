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
import io.delayqueue.internal.queue.QueueSettings;
import io.delayqueue.internal.sharding.ShardedGroups;
import io.delayqueue.internal.store.GroupPosition;
import io.delayqueue.internal.store.StoredTask;
import io.delayqueue.internal.store.StoredTaskView;
import io.delayqueue.internal.store.TaskStore;
import io.delayqueue.internal.transaction.GroupOperation;
import io.delayqueue.internal.transaction.TaskChange;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A group of a queue. */
final class GroupView implements TaskGroup {

    private final DelayQueueOperations operations;
    private final ShardedGroups groups;
    private final BoundedWait wait;
    private final QueueSettings settings;
    private final @Nullable String key;
    private final String name;
    private final String prefix;
    private final Function<TaskChange.ChangeGroup, GroupResult> changes;

    /**
     * @param operations operations on single tasks of the group
     * @param changes makes or defers each change
     */
    GroupView(
            DelayQueueOperations operations,
            ShardedGroups groups,
            BoundedWait wait,
            QueueSettings settings,
            @Nullable String key,
            String name,
            Function<TaskChange.ChangeGroup, GroupResult> changes) {
        this.operations = operations;
        this.groups = groups;
        this.wait = wait;
        this.settings = settings;
        this.key = key;
        this.name = name;
        this.prefix = TaskIds.groupPrefix(key, name);
        this.changes = changes;
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
    public Optional<String> key() {
        return Optional.ofNullable(key);
    }

    @Override
    public TaskHandle task(String id) {
        return new TaskHandle(operations, queue(), TaskIds.of(key, name, id));
    }

    @Override
    public long count() {
        return wait.answer(groups.count(queue(), prefix), what("count")).orElseGet(this::countPages);
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
        TaskPage<StoredTask> tasks = wait.answer(groups.page(queue(), begin(position)), what("list"));
        return new TaskPage<>(
                tasks.content().stream()
                        .<ListedTask>map(task -> new StoredTaskView.Listed(queue(), task))
                        .toList(),
                tasks.position());
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
        return changes.apply(new TaskChange.ChangeGroup(queue(), prefix, operation, settings.minReplicas()));
    }

    private GroupPosition begin(String from) {
        return new GroupPosition(prefix, from, TaskStore.MAX_BATCH);
    }

    private String what(String verb) {
        return "Queue '" + queue() + "', group '" + prefix + "', " + verb.toLowerCase(Locale.ROOT);
    }
}
