// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * A due task in the hands of its handler.
 *
 * @param <T> payload type
 */
public interface DelayedTask<T> {

    /** Returns its queue. */
    String queue();

    /** Returns its id. */
    String id();

    /** Returns the group that it was scheduled with, if any. */
    Optional<String> group();

    /**
     * Returns what is the same in all deliveries of one scheduled task, and of no other task: handle it once for each key.
     */
    String taskKey();

    /** Returns when it was due, by the Redis server's clock. */
    Instant dueAt();

    /** Returns which attempt this is, from 1. */
    int attempt();

    /** Returns how long after its due time the handler was called, by the Redis server's clock. */
    Duration lateness();

    /** Returns its headers. */
    Map<String, String> headers();

    /** Returns its payload. */
    T payload();

    /** Returns the right to handle it. */
    TaskLease lease();

    /**
     * Ends this round and begins another: when the handler's work has ended well, the task is not deleted but due again
     * after this time, with the same id, headers and payload, under a task key of its own. Nothing is left of this
     * round's attempts: failures are counted from zero, and a cancel is answered with CANCELLED again. A cancel, a
     * reschedule or another task of the id that came while the handler ran wins, and there is no next round by this
     * one. If the handler throws, the round goes on: it is tried again as always. The last call before the handler's
     * end counts; may be called on any thread.
     *
     * @param after counted from the end of this round by the Redis server's clock; at once where it is not positive
     */
    void again(Duration after);
}
