// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis.wake;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntPredicate;

/** The shards of a queue for which help is wanted: one task tells of all, however many ask while Redis cannot be reached. */
final class HelpCalls {

    private final Executor executor;
    private final IntPredicate publish;
    private final Set<Integer> wanted = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean onTheirWay = new AtomicBoolean();

    /**
     * None yet.
     *
     * @param publish run by the executor for each shard; a false answer ends that for now
     */
    HelpCalls(Executor executor, IntPredicate publish) {
        this.executor = executor;
        this.publish = publish;
    }

    /** Any thread. */
    void add(int shard) {
        wanted.add(shard);
        if (onTheirWay.compareAndSet(false, true)) {
            try {
                executor.execute(this::send);
            } catch (Throwable ex) {
                onTheirWay.set(false);
                throw ex;
            }
        }
    }

    private void send() {
        onTheirWay.set(false);
        Set<Integer> shards = Set.copyOf(wanted);
        wanted.removeAll(shards);
        for (int shard : shards) {
            if (!publish.test(shard)) {
                return;
            }
        }
    }
}
