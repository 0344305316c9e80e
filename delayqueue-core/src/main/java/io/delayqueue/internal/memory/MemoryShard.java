// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.memory;

import io.delayqueue.internal.store.LayoutChangedException;
import io.delayqueue.internal.store.LayoutVersion;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.ShardGroupChange;
import io.delayqueue.internal.store.TaskMigratingException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is kept for a shard. Every call on it is made under its lock. */
final class MemoryShard {

    /** Those of Redis have room for 15 digits; a clock that is beyond all reason does not take them all. */
    private static final long LAST_CLOCK_TOKEN = 900_000_000_000_000L;
    /** A year: no redrive reserves moments that are further ahead. */
    private static final long LONGEST_PACE_MICROS = 31_536_000_000_000L;

    /** Of so many steps. */
    private static final int SHIFTS = 1_000;

    final TaskTable tasks = new TaskTable();
    final MemoryHistory history = new MemoryHistory();
    private final Shard name;

    /** The fencing token that was given out last; 0 for none. */
    long token;
    /** The newest layout that a caller went by; empty for none. */
    String layout = "";
    /** Since when nothing is acquired, epoch ms. */
    @Nullable
    Long pausedSince;
    /** The first moment that is free for a task of a paced redrive, epoch microseconds; 0 if there never was one. */
    long paceFreeFrom;
    /** When the next overdue task may be taken, epoch microseconds. */
    long catchUpFrom;

    /** What the last steps of shifts have answered. */
    final Map<String, ShardGroupChange> shifts = new LinkedHashMap<>() {

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, ShardGroupChange> eldest) {
            return size() > SHIFTS;
        }
    };

    private boolean wakes;

    MemoryShard(Shard name) {
        this.name = name;
    }

    Shard name() {
        return name;
    }

    /** Gives out a fencing token that is higher than all before it. */
    long nextToken(Now now) {
        token = Math.max(token + 1, Math.min(now.micros() / 10, LAST_CLOCK_TOKEN));
        return token;
    }

    /** Lets tokens go on above those of another shard. */
    void raiseToken(long least) {
        token = Math.max(token, least);
    }

    long paceFreeFrom(Now now) {
        return paceFreeFrom <= now.micros() + LONGEST_PACE_MICROS ? paceFreeFrom : 0;
    }

    /**
     * Holds the layout that a caller goes by against the newest one that any caller went by, and remembers it if it is
     * newer. To be called before the first change.
     */
    void fence(LayoutVersion caller) {
        String given = caller.text();
        if (given.isEmpty() || given.equals(layout)) {
            return;
        }
        long known = LayoutEpoch.of(layout);
        long epoch = LayoutEpoch.of(given);
        if (known > epoch) {
            throw new LayoutChangedException(
                    "Shard " + name
                            + ": the queue is spread over its shards in another way by now; nothing was changed",
                    layout,
                    null);
        }
        if (known < epoch) {
            layout = given;
        }
    }

    /** To be called before the first change. */
    void refuseIfHeld(MemoryTask task, Now now) {
        if (task.isHeld(now)) {
            throw new TaskMigratingException(
                    "Shard " + name + ": task '" + task.id + "' is on its way to another shard; nothing was changed",
                    null);
        }
    }

    /** Tells pollers, when the call has ended, that the shard has work earlier than they know. */
    void wake() {
        wakes = true;
    }

    /** Does so if the moment comes before what the shard had to wait for until now. */
    void wakeIfEarlier(long moment, @Nullable Long earliestBefore) {
        if (earliestBefore == null || moment < earliestBefore) {
            wake();
        }
    }

    /** Whether pollers are to be told; once. */
    boolean takeWake() {
        boolean taken = wakes;
        wakes = false;
        return taken;
    }
}
