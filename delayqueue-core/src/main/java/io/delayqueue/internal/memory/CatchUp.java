// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.memory;

/**
 * Gives overdue tasks at a rate, to all who ask together, with a burst of a tenth of a second: the generic cell rate
 * algorithm (ITU-T I.371).
 */
final class CatchUp {

    private static final long OVERDUE_MILLIS = 1_000;
    private static final long BURST_MICROS = 100_000;
    /** As many as one call may take. */
    private static final int MOST = 500;

    private final MemoryShard shard;
    private final Now now;
    private final double perSecond;
    private final long allowed;
    private long freeFrom;
    private long admitted;

    private CatchUp(MemoryShard shard, Now now, double perSecond, long allowed, long freeFrom) {
        this.shard = shard;
        this.now = now;
        this.perSecond = perSecond;
        this.allowed = allowed;
        this.freeFrom = freeFrom;
    }

    /**
     * @param perSecond 0 for all that there are
     * @param head the first moment of the shard
     */
    static CatchUp of(MemoryShard shard, Now now, double perSecond, long head) {
        if (perSecond <= 0 || head >= now.millis() - OVERDUE_MILLIS) {
            return new CatchUp(shard, now, 0, Long.MAX_VALUE, 0);
        }
        long stored = shard.catchUpFrom;
        if (stored > now.micros() + 2 * MOST * 1_000_000L / perSecond) {
            stored = 0;
        }
        long freeFrom = Math.max(stored, now.micros() - BURST_MICROS);
        long allowed = (long) Math.floor((now.micros() - freeFrom) * perSecond / 1_000_000 + 1);
        return new CatchUp(shard, now, perSecond, Math.max(0, allowed), freeFrom);
    }

    /** Whether a task of this moment may be given now. */
    boolean admits(long moment) {
        if (moment >= now.millis() - OVERDUE_MILLIS) {
            return true;
        }
        if (admitted >= allowed) {
            return false;
        }
        admitted++;
        return true;
    }

    /** What was admitted has been taken. */
    void remember() {
        if (perSecond > 0 && admitted > 0) {
            freeFrom += (long) Math.ceil(admitted * 1_000_000 / perSecond);
            shard.catchUpFrom = freeFrom;
        }
    }

    /** When to look again, epoch ms: half a burst is left to gather, so that not each task is fetched alone. */
    long nextBatch() {
        return Math.max(now.millis(), Math.floorDiv(freeFrom + BURST_MICROS / 2, 1_000L));
    }
}
