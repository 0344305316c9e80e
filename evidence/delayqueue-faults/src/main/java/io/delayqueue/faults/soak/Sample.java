// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.soak;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What applications and servers hold at a moment.
 *
 * @param micros when, in the time of {@link io.delayqueue.faults.history.Entry#micros()}
 * @param processes the applications that could be looked at
 * @param redis null if it did not answer
 * @param messages that wait in the broker's queue; null if it did not answer
 */
record Sample(
        long micros,
        List<OfProcess> processes,
        @Nullable OfRedis redis,
        @Nullable Long messages) {

    /**
     * An application.
     *
     * @param place of it among the applications, from 0
     * @param liveHeap bytes of objects that a full collection left; null where none was made
     * @param residentKiB as the operating system says
     */
    record OfProcess(int place, long pid, @Nullable Long liveHeap, long threads, long files, long residentKiB) {}

    /**
     * Redis.
     *
     * @param usedMemory bytes
     * @param keys of all kinds
     * @param live tasks of both queues that are waiting or leased
     * @param dead tasks of both queues that are kept
     */
    record OfRedis(long usedMemory, long keys, long live, long dead) {}
}
