// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import static io.delayqueue.internal.redis.RedisBytes.bytes;

import io.delayqueue.internal.redis.Script;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Stores the queues of all processes and their settings in one hash ({@code dq:{queues}:queues}), and the processes
 * with what they deliver in another ({@code dq:{queues}:instances}).
 */
public record QueueNoteStore(StoreScripts scripts) {

    private static final int PARTS = 5;
    private static final byte[] LAST_KEPT = bytes(Duration.ofDays(400).toMillis());

    /** Kinds of notes. */
    public enum Kind {
        /** Queues with their settings. The last note of a queue is kept for 400 days. */
        QUEUES,
        /**
         * Processes and what they deliver. A note contains the process name in place of the queue, and what the process
         * delivers in place of the process. It replaces the previous note of the process and is kept until the process
         * is gone.
         */
        INSTANCES
    }

    /**
     * Records the queues of a process and returns the notes of all processes; or records the process itself and returns
     * nothing.
     *
     * @param process name of the process, or what it delivers
     * @param own queues of the process, or the process itself; empty to only read
     * @param silence how long a process may write no record before it counts as gone; zero to read no notes of queues
     */
    public CompletableFuture<List<NotedQueue>> note(String process, Kind kind, List<NotedQueue> own, Duration silence) {
        boolean isOfQueues = kind == Kind.QUEUES;
        List<byte[]> args = new ArrayList<>(4 + 3 * own.size());
        args.add(scripts.clock().bytes());
        args.add(bytes(process));
        args.add(bytes(isOfQueues || own.isEmpty() ? silence.toMillis() : 0));
        args.add(isOfQueues ? LAST_KEPT : bytes(silence.toMillis()));
        for (NotedQueue queue : own) {
            args.add(bytes(queue.queue()));
            args.add(bytes(queue.delivers() ? 1 : 0));
            args.add(bytes(queue.settings()));
        }
        String key = isOfQueues ? scripts.keys().queues() : scripts.keys().instances();
        return scripts.run(Script.QUEUES_NOTE, key, "Queues of all processes", args.toArray(byte[][]::new))
                .thenApply(reply -> reply.rows(PARTS)
                        .map(row -> new NotedQueue(row.text(0), row.isTrue(1), row.text(2), row.text(3), row.isTrue(4)))
                        .toList());
    }
}
