// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.admin;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A request for a part of a queue's live or dead tasks. Start with {@link #first}, add conditions, and continue with
 * {@link #after}:
 * <pre>{@code
 * TaskQuery query = TaskQuery.first(100);
 * TaskWindow<ListedTask> tasks;
 * do {
 *     tasks = admin.liveTasks("orders", query);
 *     tasks.content().forEach(System.out::println);
 *     query = query.after(tasks.position());
 * } while (tasks.hasNext());
 * }</pre>
 *
 * <p>Windows follow the tasks, not an offset: a task that does not change in the meantime is in one of them. A task
 * that is rescheduled, retried or leased in between may be in two windows or in none. Redriven or discarded tasks do
 * not hide others; a task that died in the same millisecond as such a task may be returned again.
 *
 * @param size maximum number of tasks, 1 to 500
 * @param from only live tasks that need attention at this moment or later: they are due or retried, or their lease
 *     ends; null for any
 * @param until only live tasks that need attention before this moment; null for any
 * @param idPrefix only live tasks with this id prefix; empty for all
 * @param withContent whether to read headers and payloads of dead tasks
 * @param position end of the previous window; null to start
 */
public record TaskQuery(
        int size,
        @Nullable Instant from,
        @Nullable Instant until,
        String idPrefix,
        boolean withContent,
        @Nullable String position) {

    public TaskQuery {
        if (size < 1 || size > 500) {
            throw new IllegalArgumentException("A query reads 1 to 500 tasks, but the requested size is " + size);
        }
    }

    /** Returns a query for the first tasks, without conditions and contents. */
    public static TaskQuery first(int size) {
        return new TaskQuery(size, null, null, "", false, null);
    }

    /** Limits this query to live tasks that need attention at {@code from} or later and before {@code until}. */
    public TaskQuery between(@Nullable Instant from, @Nullable Instant until) {
        return new TaskQuery(size, from, until, idPrefix, withContent, position);
    }

    /** Limits this query to live tasks with this id prefix. */
    public TaskQuery withIdPrefix(String idPrefix) {
        return new TaskQuery(size, from, until, idPrefix, withContent, position);
    }

    /** Returns this query with headers and payloads of dead tasks. */
    public TaskQuery includingContent() {
        return new TaskQuery(size, from, until, idPrefix, true, position);
    }

    /** Returns this query, starting after a window with this position; null to start anew. */
    public TaskQuery after(@Nullable String position) {
        return new TaskQuery(size, from, until, idPrefix, withContent, position);
    }
}
