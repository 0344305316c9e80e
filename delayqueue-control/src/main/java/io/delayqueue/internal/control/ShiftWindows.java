// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import io.delayqueue.Due;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.control.TaskFilter;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Divides the tasks of a shift into periods of due times that are no longer than the shift. A shift to later times
 * starts with the latest period, a shift to earlier times with the earliest. Each task therefore moves into a period
 * that was already processed, and no task moves twice, even if a process dies and another one repeats a period.
 */
record ShiftWindows(DelayQueueAdmin admin, DueTimes dueTimes) {

    private static final Instant END = Instant.ofEpochMilli(Due.MAX_EPOCH_MILLIS);
    private static final int SLICES = 500;

    /**
     * Returns the filter of the next period that has tasks.
     *
     * @param filter the filter of the request
     * @param last the previous period; null for the first
     * @param by shift of the due times; negative for earlier
     * @return the filter; null if no period follows
     */
    @Nullable
    TaskFilter next(String queue, TaskFilter filter, @Nullable TaskFilter last, Duration by) {
        boolean later = !by.isNegative();
        Instant lowest = later || last == null ? start(filter) : end(last);
        Instant highest = later && last != null ? start(last) : end(filter);
        long longest = by.abs().toMillis();
        Instant from = lowest;
        Instant until = highest;
        while (from.isBefore(until)) {
            long span = Duration.between(from, until).toMillis();
            long width = Math.max((span + SLICES - 1) / SLICES, Math.min(longest, span));
            int slices = (int) (span / width);
            Instant first = later ? until.minusMillis(slices * width) : from;
            DueCounts counts = dueTimes.count(DueTimes.shards(admin, queue), first, Duration.ofMillis(width), slices);
            int slice = IntStream.range(0, slices)
                    .filter(i -> counts.counts().get(i) > 0)
                    .reduce((one, next) -> later ? next : one)
                    .orElse(-1);
            if (slice >= 0) {
                from = first.plusMillis(slice * width);
                until = from.plusMillis(width);
                if (width <= longest) {
                    return TaskPages.within(filter, from, until);
                }
            } else if (later) {
                // All tasks of the wider period may have ended while it was divided, so the search continues before
                // that period.
                from = lowest;
                until = first;
            } else {
                from = first.plusMillis(slices * width);
                until = highest;
            }
        }
        return null;
    }

    private static Instant start(TaskFilter filter) {
        Instant from = filter.from();
        return from == null || from.isBefore(Instant.EPOCH) ? Instant.EPOCH : from;
    }

    private static Instant end(TaskFilter filter) {
        Instant until = filter.until();
        return until == null || until.isAfter(END) ? END : until;
    }
}
