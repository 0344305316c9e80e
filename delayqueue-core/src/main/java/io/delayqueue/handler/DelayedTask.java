// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

import io.delayqueue.TaskIds;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * A due task in the hands of its handler.
 *
 * @param queue its queue
 * @param id its id
 * @param taskKey what is the same in all deliveries of one scheduled task, and of no other task: handle it once for
 *     each key
 * @param dueAt when it was due, by the Redis server's clock
 * @param attempt which attempt this is, from 1
 * @param lateness how long after its due time the handler was called, by the Redis server's clock
 * @param headers its headers
 * @param payload its payload
 * @param lease the right to handle it
 * @param <T> payload type
 */
public record DelayedTask<T>(
        String queue,
        String id,
        String taskKey,
        Instant dueAt,
        int attempt,
        Duration lateness,
        Map<String, String> headers,
        T payload,
        TaskLease lease) {

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
    public void again(Duration after) {
        lease.again(after);
    }

    /** The group that it was scheduled with, if any. */
    public Optional<String> group() {
        return TaskIds.groupOf(id);
    }

    /** Names the task, never its payload or headers. */
    @Override
    public String toString() {
        return "DelayedTask[queue=" + queue + ", id=" + id + ", dueAt=" + dueAt + ", attempt=" + attempt + "]";
    }
}
