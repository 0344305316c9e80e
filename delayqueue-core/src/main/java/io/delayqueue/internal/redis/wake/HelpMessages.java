// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis.wake;

import io.delayqueue.internal.concurrent.SignalledRounds;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.IntPredicate;

/**
 * The shards of a queue for which help is wanted: one task tells of all, however many ask while Redis cannot be
 * reached.
 */
final class HelpMessages {

    private final IntPredicate publish;
    private final SignalledRounds calls;
    private final Set<Integer> wanted = ConcurrentHashMap.newKeySet();

    /**
     * None yet.
     *
     * @param publish run by the executor for each shard; a false answer ends that for now
     */
    HelpMessages(Executor executor, IntPredicate publish) {
        this.publish = publish;
        this.calls = SignalledRounds.on("Calling for help", executor, this::send, () -> {});
    }

    /** Any thread. */
    void add(int shard) {
        wanted.add(shard);
        calls.signal();
    }

    private void send() {
        Set<Integer> shards = Set.copyOf(wanted);
        wanted.removeAll(shards);
        for (int shard : shards) {
            if (!publish.test(shard)) {
                return;
            }
        }
    }
}
