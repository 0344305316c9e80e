// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

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

    /** Names the task, never its payload or headers. */
    @Override
    public String toString() {
        return "DelayedTask[queue=" + queue + ", id=" + id + ", dueAt=" + dueAt + ", attempt=" + attempt + "]";
    }
}
