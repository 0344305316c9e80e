// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.sharding;

import io.delayqueue.internal.concurrent.FreshReads;
import io.delayqueue.internal.store.NewTask;
import io.delayqueue.internal.store.TaskStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Knows whether a task may be elsewhere than where its id belongs: only in queues that have tasks with shard keys of
 * their own. That is noted in the store before the first of them is, so that whoever begins to look for a task after
 * its schedule has returned reads the note. That there is none is never remembered: another process may write it at any
 * time.
 */
final class KeyedQueues {

    /** A server that loses data may lose the note and keep the task, or a purged one is filled again. */
    private static final long NOTED_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final TaskStore store;
    private final ConcurrentMap<String, Note> notes = new ConcurrentHashMap<>();

    KeyedQueues(TaskStore store) {
        this.store = store;
    }

    /** What has to end before these tasks are stored; null if nothing has. */
    @Nullable
    CompletableFuture<?> before(String queue, List<NewTask> tasks) {
        for (NewTask task : tasks) {
            if (task.content().shardKey() != null) {
                return of(queue).made();
            }
        }
        return null;
    }

    /** Whether a task that is not where its id belongs may be in another shard. */
    CompletableFuture<Boolean> mayBeElsewhere(String queue) {
        return of(queue).isThere();
    }

    private Note of(String queue) {
        return notes.computeIfAbsent(queue, Note::new);
    }

    private final class Note {

        private final FreshReads<Boolean> reads;
        private final FreshReads<Boolean> writes;
        private volatile boolean there;
        private volatile long untilNanos = System.nanoTime();

        Note(String queue) {
            this.reads = new FreshReads<>(() -> store.layouts().usesShardKeys(queue, false));
            this.writes = new FreshReads<>(() -> {
                long until = System.nanoTime() + NOTED_NANOS;
                return store.layouts().usesShardKeys(queue, true).whenComplete((noted, error) -> {
                    if (error == null) {
                        untilNanos = until;
                        there = true;
                    }
                });
            });
        }

        @Nullable
        CompletableFuture<?> made() {
            return isFresh() ? null : writes.next();
        }

        private boolean isFresh() {
            return there && System.nanoTime() - untilNanos < 0;
        }

        /**
         * One that is known to be there may have been lost by the server; then it is made again, for other processes.
         */
        CompletableFuture<Boolean> isThere() {
            if (there) {
                if (!isFresh()) {
                    untilNanos = System.nanoTime() + NOTED_NANOS;
                    writes.next();
                }
                return CompletableFuture.completedFuture(true);
            }
            return reads.next().thenApply(read -> {
                if (read) {
                    there = true;
                }
                return read;
            });
        }
    }
}
