// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.EncodedPayload;
import io.delayqueue.FoundTask;
import io.delayqueue.ListedTask;
import io.delayqueue.TaskPage;
import io.delayqueue.TaskState;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.admin.QueueStats;
import io.delayqueue.admin.TaskQuery;
import io.delayqueue.internal.queue.QueueCatalog;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Reads and describes the contents of a context's queues. */
record QueueViews(QueueCatalog queues, DelayQueueAdmin admin, DelayQueueOperations operations, KitTime time) {

    private static final int MOST_NAMED = 20;

    Instant now() {
        return time.now();
    }

    /** @throws io.delayqueue.UnknownQueueException if no such queue is configured */
    void require(String queue) {
        queues.get(queue);
    }

    QueueStats stats(String queue) {
        return admin.stats(queue);
    }

    <T> Optional<FoundTask<T>> find(String queue, String id, Class<T> payloadType) {
        return operations.find(queue, id, payloadType);
    }

    boolean isLeased(String queue, String id) {
        return operations
                .find(queue, id, EncodedPayload.class)
                .filter(task -> task.state() == TaskState.LEASED)
                .isPresent();
    }

    /** Returns all waiting and leased tasks, ordered by the time of their next event. */
    List<ListedTask> live(String queue, int pageSize) {
        List<ListedTask> all = all(query -> admin.liveTasks(queue, query), TaskQuery.first(pageSize));
        all.sort(Comparator.comparing(ListedTask::nextAttentionAt).thenComparing(ListedTask::id));
        return all;
    }

    /** Returns all dead tasks with their contents. */
    List<ListedTask> dead(String queue, int pageSize) {
        return all(
                query -> admin.deadTasks(queue, query),
                TaskQuery.first(pageSize).includingContent());
    }

    private static List<ListedTask> all(Function<TaskQuery, TaskPage<ListedTask>> read, TaskQuery query) {
        List<ListedTask> all = new ArrayList<>();
        TaskPage<ListedTask> some;
        TaskQuery next = query;
        do {
            some = read.apply(next);
            all.addAll(some.content());
            next = next.after(some.position());
        } while (some.hasNext());
        return all;
    }

    Set<String> names() {
        return queues.names();
    }

    void pauseAll() {
        queues.names().forEach(admin::pause);
    }

    long leased() {
        return queues.names().stream()
                .mapToLong(queue -> admin.stats(queue).leased())
                .sum();
    }

    void purgeAll() {
        queues.names().forEach(this::purge);
    }

    /** Returns whether there are no tasks, live or dead. */
    boolean areEmpty() {
        return queues.names().stream()
                .map(admin::stats)
                .allMatch(stats ->
                        stats.delayed() + stats.heldBack() + stats.ready() + stats.leased() + stats.dead() == 0);
    }

    void purge(String queue) {
        admin.purge(queue, queue);
    }

    void resume(String queue) {
        admin.resume(queue);
    }

    /** Describes the first tasks, one per line. */
    String described(String queue, boolean onlyDue) {
        List<String> lines = new ArrayList<>();
        for (ListedTask task : live(queue, MOST_NAMED)) {
            if (!onlyDue
                    || task.state() == TaskState.LEASED
                    || !task.nextAttentionAt().isAfter(now())) {
                lines.add(described(task));
            }
        }
        if (!onlyDue) {
            dead(queue, MOST_NAMED).forEach(task -> lines.add(described(task)));
        }
        StringBuilder text = new StringBuilder();
        lines.stream()
                .limit(MOST_NAMED)
                .forEach(line ->
                        text.append(System.lineSeparator()).append("    ").append(line));
        if (lines.size() > MOST_NAMED) {
            text.append(System.lineSeparator())
                    .append("    and ")
                    .append(lines.size() - MOST_NAMED)
                    .append(" more");
        }
        return text.toString();
    }

    /** Describes the first leased tasks of each queue, one per line. */
    String describedLeased() {
        StringBuilder text = new StringBuilder();
        for (String queue : queues.names()) {
            live(queue, MOST_NAMED).stream()
                    .filter(task -> task.state() == TaskState.LEASED)
                    .limit(MOST_NAMED)
                    .forEach(task -> text.append(System.lineSeparator())
                            .append("  queue '")
                            .append(queue)
                            .append("': ")
                            .append(described(task)));
        }
        return text.toString();
    }

    /** Describes a task in one sentence. */
    String standing(String queue, String id) {
        return operations
                        .find(queue, id, EncodedPayload.class)
                        .map(task -> switch (task.state()) {
                            case SCHEDULED ->
                                "It waits: " + due(task.nextAttentionAt())
                                        + attempts(task.failures(), task.lastReason());
                            case LEASED -> "It is in progress" + attempts(task.failures(), task.lastReason());
                            case DEAD -> "It is dead" + attempts(task.failures(), task.lastReason());
                        })
                        .orElse("The queue has no such task")
                + ". The queues' clock is at " + now() + ".";
    }

    private String described(ListedTask task) {
        String state = switch (task.state()) {
            case SCHEDULED -> due(task.nextAttentionAt());
            case LEASED -> "in progress";
            case DEAD -> "dead since " + task.nextAttentionAt();
        };
        return "'" + task.id() + "' " + state + attempts(task.failures(), task.lastReason());
    }

    private static String attempts(int failures, Optional<String> reason) {
        return (failures == 0 ? "" : ", failed " + failures + " time(s)")
                + reason.map(text -> ", last: " + text).orElse("");
    }

    private String due(Instant moment) {
        Duration left = Duration.between(now(), moment);
        return left.isNegative() || left.isZero() ? "due since " + moment : "due in " + left + " at " + moment;
    }
}
