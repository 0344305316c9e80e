// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.soak;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The resources of applications and servers at one moment.
 *
 * @param micros time of the sample, in that of {@link io.delayqueue.faults.history.Entry#micros()}
 * @param processes the applications that could be measured
 * @param redis null if it did not answer
 * @param messages messages that wait in the broker's queue; null if it did not answer
 */
record Sample(
        long micros,
        List<OfProcess> processes,
        @Nullable OfRedis redis,
        @Nullable Long messages) {

    /**
     * An application.
     *
     * @param place its place among the applications, from 0
     * @param liveHeap bytes of objects after a full collection; null if none was made
     * @param residentKiB resident memory according to the operating system
     */
    record OfProcess(int place, long pid, @Nullable Long liveHeap, long threads, long files, long residentKiB) {}

    /**
     * Redis.
     *
     * @param usedMemory bytes
     * @param keys number of all keys
     * @param live tasks of both queues that are waiting or leased
     * @param dead tasks of both queues that are kept
     */
    record OfRedis(long usedMemory, long keys, long live, long dead) {}
}
