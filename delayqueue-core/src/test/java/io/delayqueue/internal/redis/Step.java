// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import io.delayqueue.ConflictPolicy;
import io.delayqueue.internal.store.Settlement;
import java.util.List;

/**
 * One random step of a client. A number selects one of all leases that the client ever got, so most selected leases in
 * a long sequence are stale. Minutes may be negative, for due times in the past.
 */
sealed interface Step {

    /**
     * A request number that was used before for another id or time is what a faulty client would send, so ids add to
     * it.
     */
    record Schedule(List<Task> tasks) implements Step {}

    /** @param expiresAfter minutes; 0 for a task without a limit */
    record Task(int id, int request, boolean relative, int minutes, ConflictPolicy policy, int expiresAfter) {}

    /** @param expiresAfter minutes; 0 for a queue without a limit */
    record Acquire(int limit, int leaseMinutes, int maxSuspects, int expiresAfter, boolean expiredKept)
            implements Step {}

    record Renew(List<Integer> leases, boolean wrongToken, int minutes) implements Step {}

    record Settle(List<End> ends) implements Step {}

    record End(int lease, boolean wrongToken, Settlement.Verb verb, int minutes, boolean counts, boolean uncertain) {}

    record Cancel(int id) implements Step {}

    record Reschedule(int id, boolean relative, int minutes) implements Step {}

    /** Gives a waiting task another payload. */
    record Update(int id, int payload) implements Step {}

    /** Reads all live tasks, in pages of this size. */
    record LivePages(int size) implements Step {}

    record CancelGroup() implements Step {}

    /** Gives the tasks of the group a due time, or moves theirs. */
    record PutOffGroup(boolean shift, int minutes) implements Step {}

    /** Reads all tasks of the group. */
    record GroupPages() implements Step {}

    record Find(int id) implements Step {}

    record Stats() implements Step {}

    /** Reads all dead tasks, in pages of this size. */
    record DeadPages(int size) implements Step {}

    /** @param minutes when each is due, in the order of the ids; at once where they are 0 */
    record Redrive(List<Integer> ids, List<Integer> minutes) implements Step {}

    record Discard(List<Integer> ids) implements Step {}

    /** No retention or no cap when negative. */
    record Trim(int retentionMinutes) implements Step {}

    record Pause() implements Step {}

    record Resume() implements Step {}

    record Purge(int limit) implements Step {}

    /** Holds tasks for a migration and takes them in elsewhere; then they are deleted here, or stay. */
    record Migrate(List<Integer> ids, boolean takenIn) implements Step {}

    /** Back, where the minutes are negative. */
    record MoveClock(int minutes) implements Step {}

    /** The client dies between two calls and forgets its leases. */
    record Crash() implements Step {}

    record ForgetScripts() implements Step {}
}
