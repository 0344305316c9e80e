// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.admin;

import io.delayqueue.internal.calls.BoundedWait;
import io.delayqueue.internal.store.ReservedTime;
import io.delayqueue.internal.store.TaskStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Assigns evenly spaced due times. Redis stores the last assigned time, so a later call continues after it, even in
 * another process.
 */
public record PacedDueTimes(TaskStore store) {

    private static final int MICROS_PER_SECOND = 1_000_000;

    /** @throws IllegalArgumentException if the rate is out of range */
    public static void require(int perSecond) {
        if (perSecond < 1 || perSecond > MICROS_PER_SECOND) {
            throw new IllegalArgumentException("Between 1 and " + MICROS_PER_SECOND
                    + " tasks can become due per second, but perSecond is " + perSecond);
        }
    }

    /** Reserves due times, earliest first. */
    public List<Instant> reserve(String queue, int count, int perSecond) {
        require(perSecond);
        if (count == 0) {
            return List.of();
        }
        long gap = (MICROS_PER_SECOND + perSecond - 1) / perSecond;
        long first = reserve(queue, gap * count).start();
        return LongStream.range(0, count)
                .mapToObj(i -> Instant.ofEpochMilli((first + i * gap + 999) / 1000))
                .toList();
    }

    /** Returns for how long due times are reserved from now on, by the clock of Redis. */
    public Duration ahead(String queue) {
        ReservedTime next = reserve(queue, 0);
        return Duration.ofNanos((next.start() - next.now()) * 1000);
    }

    private ReservedTime reserve(String queue, long micros) {
        return new BoundedWait(store.callTimeout())
                .answer(store.shards().reserveDueTimes(queue, micros), "Queue '" + queue + "', due times");
    }
}
