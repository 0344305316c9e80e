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
        reshard(shards);
    }

    /** Schedules added shards at once and forgets removed ones. */
    void reshard(int shards) {
        ScannedShard[] old = watches;
        if (shards == old.length) {
            return;
        }
        ScannedShard[] resharded = Arrays.copyOf(old, shards);
        for (int shard = old.length; shard < shards; shard++) {
            resharded[shard] = new ScannedShard(
                    shard,
                    maxIdleInterval,
                    System.nanoTime(),
                    ThreadLocalRandom.current().nextDouble());
        }
        watches = resharded;
    }

    int size() {
        return watches.length;
    }

    /** Ignores unknown shards. */
    void wake(int shard) {
        ScannedShard[] current = watches;
        if (shard >= 0 && shard < current.length) {
            current[shard].wake();
        }
    }

    /** Ignores unknown shards. */
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

    /** Schedules the shards whose last scan has failed. */
    void wakeFailed() {
        for (ScannedShard watch : watches) {
            if (watch.hasFailed()) {
                watch.wake();
            }
        }
    }

    /** Returns how many tasks of these shards are under lease here. */
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
     * Returns the shards to scan now, the least recently scanned first.
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

    /** Returns when the next shard will be due, at most {@code atMost}. */
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
