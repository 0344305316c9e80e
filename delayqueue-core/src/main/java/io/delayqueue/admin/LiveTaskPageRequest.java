// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.admin;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Asks for a page of live tasks. Begin with {@link #first}, narrow it down, and go on with {@link LiveTaskPage#next()}. Pages
 * follow the tasks and not a count: a task that stays where it is from the first page to the last is in one of them. One that
 * is rescheduled, tried or leased meanwhile may be in two, or in none.
 *
 * @param size tasks at most, 1 to 500
 * @param from only tasks that need attention at this moment or later: that are due then, tried next, or whose lease ends then
 * @param until only tasks that need attention before this moment
 * @param idPrefix only tasks whose ids begin so; empty for all
 * @param after where the page before ended; null for the first
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
            throw new IllegalArgumentException("A page holds 1 to 500 live tasks, but " + size + " were asked for");
        }
        from = within(from);
        until = within(until);
    }

    /** The first page, of tasks of any moment and id. */
    public static LiveTaskPageRequest first(int size) {
        return new LiveTaskPageRequest(size, Instant.EPOCH, END, "", null);
    }

    /** The same, of tasks that need attention at {@code from} or later and before {@code until}. */
    public LiveTaskPageRequest between(Instant from, Instant until) {
        return new LiveTaskPageRequest(size, from, until, idPrefix, after);
    }

    /** The same, of tasks whose ids begin so. */
    public LiveTaskPageRequest withIdPrefix(String idPrefix) {
        return new LiveTaskPageRequest(size, from, until, idPrefix, after);
    }

    /** The same, behind this place. */
    public LiveTaskPageRequest after(TaskPosition position) {
        return new LiveTaskPageRequest(size, from, until, idPrefix, position);
    }

    /** No task is due before or after. */
    private static Instant within(Instant moment) {
        return moment.isBefore(Instant.EPOCH) ? Instant.EPOCH : moment.isAfter(END) ? END : moment;
    }
}
