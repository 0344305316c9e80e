// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.admin;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A request for a page of a queue's live or dead tasks. Start with {@link #first}, add conditions, and continue with
 * {@link #after}:
 * <pre>{@code
 * TaskQuery query = TaskQuery.first(100);
 * TaskPage<ListedTask> tasks;
 * do {
 *     tasks = admin.liveTasks("orders", query);
 *     tasks.content().forEach(System.out::println);
 *     query = query.after(tasks.position());
 * } while (tasks.hasNext());
 * }</pre>
 *
 * <p>Pages follow the tasks, not an offset: a task that does not change in the meantime is in one of them. A task
 * that is rescheduled, retried or leased in between may be in two pages or in none. Redriven or discarded tasks do
 * not hide others.
 *
 * @param size maximum number of tasks, 1 to 500
 * @param from inclusive start of the period; null for none
 * @param until exclusive end of the period; null for none
 * @param idPrefix prefix of the ids; empty for all tasks
 * @param withContent whether to read headers and payloads
 * @param isNewestFirst whether to read the most recent deaths first
 * @param position the end of the previous page; null for the first page
 */
public record TaskQuery(
        int size,
        @Nullable Instant from,
        @Nullable Instant until,
        String idPrefix,
        boolean withContent,
        boolean isNewestFirst,
        @Nullable String position) {

    /** Components may be added. Start with {@link #first} instead. */
    public TaskQuery {
        Objects.requireNonNull(idPrefix, "idPrefix");
        if (size < 1 || size > 500) {
            throw new IllegalArgumentException("A query reads 1 to 500 tasks, but the requested size is " + size);
        }
    }

    /**
     * Returns a query for the first tasks, without conditions and contents.
     *
     * @param size maximum number of tasks, 1 to 500
     */
    public static TaskQuery first(int size) {
        return new TaskQuery(size, null, null, "", false, false, null);
    }

    /**
     * Limits this query to tasks that are due or retried, or whose lease ends, between {@code from} (inclusive) and
     * {@code until} (exclusive). Null means no limit. For {@link DelayQueueAdmin#liveTasks} only.
     */
    public TaskQuery between(@Nullable Instant from, @Nullable Instant until) {
        return new TaskQuery(size, from, until, idPrefix, withContent, isNewestFirst, position);
    }

    /** Limits this query to tasks with this id prefix, for {@link DelayQueueAdmin#liveTasks} only. */
    public TaskQuery withIdPrefix(String idPrefix) {
        return new TaskQuery(size, from, until, idPrefix, withContent, isNewestFirst, position);
    }

    /** Returns this query with headers and payloads. Large contents make the pages smaller. */
    public TaskQuery includingContent() {
        return new TaskQuery(size, from, until, idPrefix, true, isNewestFirst, position);
    }

    /**
     * Returns this query for the dead tasks of all shards in a single list, the most recent death first. Tasks whose
     * payload could not be read come before all others.
     */
    public TaskQuery newestFirst() {
        return new TaskQuery(size, from, until, idPrefix, withContent, true, position);
    }

    /** Returns this query for the page at this position; null to start over. */
    public TaskQuery after(@Nullable String position) {
        return new TaskQuery(size, from, until, idPrefix, withContent, isNewestFirst, position);
    }
}
