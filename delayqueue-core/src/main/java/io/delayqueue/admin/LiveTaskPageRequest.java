// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.admin;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A request for a page of live tasks. Start with {@link #first}, add conditions, and continue with
 * {@link LiveTaskPage#next()}. Pages follow the tasks, not an offset: a task that does not change between the first
 * page and the last appears on a single page. A task that is rescheduled, retried or leased in between may be on two
 * pages or on none.
 *
 * @param size maximum number of tasks, 1 to 500
 * @param from only tasks that need attention at this moment or later: they are due or retried, or their lease ends
 * @param until only tasks that need attention before this moment
 * @param idPrefix only tasks with this id prefix; empty for all
 * @param after end of the previous page; null for the first page
 */
public record LiveTaskPageRequest(
        int size,
        Instant from,
        Instant until,
        String idPrefix,
        @Nullable TaskPosition after) {

    private static final Instant END = Instant.parse("+10000-01-01T00:00:00Z");

    public LiveTaskPageRequest {
        if (size < 1 || size > 500) {
            throw new IllegalArgumentException("A page holds 1 to 500 live tasks, but the requested size is " + size);
        }
        from = within(from);
        until = within(until);
    }

    /** Returns a request for the first page, without conditions. */
    public static LiveTaskPageRequest first(int size) {
        return new LiveTaskPageRequest(size, Instant.EPOCH, END, "", null);
    }

    /** Limits this request to tasks that need attention at {@code from} or later and before {@code until}. */
    public LiveTaskPageRequest between(Instant from, Instant until) {
        return new LiveTaskPageRequest(size, from, until, idPrefix, after);
    }

    /** Limits this request to ids with this prefix. */
    public LiveTaskPageRequest withIdPrefix(String idPrefix) {
        return new LiveTaskPageRequest(size, from, until, idPrefix, after);
    }

    /** Returns this request, starting after a position. */
    public LiveTaskPageRequest after(TaskPosition position) {
        return new LiveTaskPageRequest(size, from, until, idPrefix, position);
    }

    /** Limits a moment to the range of due times. */
    private static Instant within(Instant moment) {
        return moment.isBefore(Instant.EPOCH) ? Instant.EPOCH : moment.isAfter(END) ? END : moment;
    }
}
