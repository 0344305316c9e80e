// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.engine;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** When each shard of a queue is to be scanned next. Wakes come from any thread; all else is the poller's. */
final class ShardAgenda {

    private final long[] nextScan;
    private final AtomicIntegerArray woken;
    private int first;

    ShardAgenda(int shards) {
        this.nextScan = new long[shards];
        this.woken = new AtomicIntegerArray(shards);
        Arrays.fill(nextScan, System.nanoTime());
    }

    void wake(int shard) {
        if (shard >= 0 && shard < nextScan.length) {
            woken.set(shard, 1);
        }
    }

    void wakeAll() {
        for (int shard = 0; shard < nextScan.length; shard++) {
            wake(shard);
        }
    }

    /** The shards to scan now, beginning with another one each time. */
    int[] due(long now) {
        int count = nextScan.length;
        first = (first + 1) % count;
        int[] due = new int[count];
        int found = 0;
        for (int i = 0; i < count; i++) {
            int shard = (first + i) % count;
            if (woken.getAndSet(shard, 0) == 1) {
                nextScan[shard] = now;
            }
            if (nextScan[shard] - now <= 0) {
                due[found++] = shard;
            }
        }
        return Arrays.copyOf(due, found);
    }

    void scanAt(int shard, long nanoTime) {
        nextScan[shard] = nanoTime;
    }

    /** How long until the next shard is due; not positive if one is. */
    long nanosUntilNext(long now) {
        long least = Long.MAX_VALUE;
        for (long at : nextScan) {
            least = Math.min(least, at - now);
        }
        return least;
    }
}
