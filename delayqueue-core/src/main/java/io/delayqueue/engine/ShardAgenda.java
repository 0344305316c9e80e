// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The watches over all shards of a queue. Wakes come from any thread; all else is the poller's. */
final class ShardAgenda {

    private final Duration backStop;
    private volatile ShardWatch[] watches = {};
    private int first;

    ShardAgenda(int shards, Duration backStop) {
        this.backStop = backStop;
        resize(shards);
    }

    /** Shards that are added are scanned at once; one that is taken away is forgotten. */
    void resize(int shards) {
        ShardWatch[] old = watches;
        if (shards == old.length) {
            return;
        }
        ShardWatch[] resized = Arrays.copyOf(old, shards);
        for (int shard = old.length; shard < shards; shard++) {
            resized[shard] = new ShardWatch(shard, backStop, System.nanoTime());
        }
        watches = resized;
    }

    int size() {
        return watches.length;
    }

    /** A shard that there is not is passed over. */
    void wake(int shard) {
        ShardWatch[] current = watches;
        if (shard >= 0 && shard < current.length) {
            current[shard].wake();
        }
    }

    /** A shard that there is not is passed over. */
    void hear(int shard) {
        ShardWatch[] current = watches;
        if (shard >= 0 && shard < current.length) {
            current[shard].hear();
        }
    }

    void wakeAll() {
        for (ShardWatch watch : watches) {
            watch.wake();
        }
    }

    /** The shards to scan now, beginning with another one each time. */
    List<ShardWatch> due(long now) {
        ShardWatch[] current = watches;
        List<ShardWatch> due = new ArrayList<>(current.length);
        first = (first + 1) % current.length;
        for (int i = 0; i < current.length; i++) {
            ShardWatch watch = current[(first + i) % current.length];
            if (watch.isDue(now)) {
                due.add(watch);
            }
        }
        return due;
    }

    /** When the first of those that are not due yet will be; {@code atMost} if none is before. */
    long nextScan(long now, long atMost) {
        long next = atMost;
        for (ShardWatch watch : watches) {
            if (!watch.isScanning()) {
                long at = watch.nextScan(now);
                next = (at - now > 0 && at - next < 0) ? at : next;
            }
        }
        return next;
    }
}
