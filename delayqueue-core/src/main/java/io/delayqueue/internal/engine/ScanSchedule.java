// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntPredicate;

/** When the shards of a queue are to be scanned. Wakes come from any thread; all else is for passes. */
final class ScanSchedule {

    private final Duration maxIdleInterval;
    private volatile ScannedShard[] watches = {};

    ScanSchedule(int shards, Duration maxIdleInterval) {
        this.maxIdleInterval = maxIdleInterval;
        resize(shards);
    }

    /** Shards that are added are scanned at once; one that is taken away is forgotten. */
    void resize(int shards) {
        ScannedShard[] old = watches;
        if (shards == old.length) {
            return;
        }
        ScannedShard[] resized = Arrays.copyOf(old, shards);
        for (int shard = old.length; shard < shards; shard++) {
            resized[shard] = new ScannedShard(
                    shard,
                    maxIdleInterval,
                    System.nanoTime(),
                    ThreadLocalRandom.current().nextDouble());
        }
        watches = resized;
    }

    int size() {
        return watches.length;
    }

    /** A shard that there is not is passed over. */
    void wake(int shard) {
        ScannedShard[] current = watches;
        if (shard >= 0 && shard < current.length) {
            current[shard].wake();
        }
    }

    /** A shard that there is not is passed over. */
    void hear(int shard) {
        ScannedShard[] current = watches;
        if (shard >= 0 && shard < current.length) {
            current[shard].hear();
        }
    }

    void wakeAll() {
        for (ScannedShard watch : watches) {
            watch.wake();
        }
    }

    /** Those whose last scan has failed are to be scanned now. */
    void wakeFailed() {
        for (ScannedShard watch : watches) {
            if (watch.hasFailed()) {
                watch.wake();
            }
        }
    }

    /** How many tasks are under lease here of these shards. */
    int leased(IntPredicate ofShard) {
        int leased = 0;
        for (ScannedShard watch : watches) {
            if (watch.leased() > 0 && ofShard.test(watch.shard())) {
                leased += watch.leased();
            }
        }
        return leased;
    }

    /**
     * The shards to scan now, the one first whose last scan is the longest ago.
     *
     * @param signalsArrive whether wake signals are known to arrive now
     */
    List<ScannedShard> due(long now, boolean signalsArrive) {
        List<ScannedShard> due = new ArrayList<>();
        for (ScannedShard watch : watches) {
            if (watch.isDue(now, signalsArrive)) {
                due.add(watch);
            }
        }
        if (due.size() > 1) {
            due.sort((a, b) -> Long.compare(b.sinceLastScan(now), a.sinceLastScan(now)));
        }
        return due;
    }

    /** When the first of those that are not due yet will be; {@code atMost} if none is before. */
    long nextScan(long now, boolean signalsArrive, long atMost) {
        long next = atMost;
        for (ScannedShard watch : watches) {
            if (!watch.isScanning()) {
                long at = watch.nextScan(now, signalsArrive);
                next = (at - now > 0 && at - next < 0) ? at : next;
            }
        }
        return next;
    }
}
