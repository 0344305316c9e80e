// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.settings;

import io.delayqueue.autoconfigure.DelayQueueProperties;
import io.delayqueue.queue.TaskLimits;
import org.springframework.util.unit.DataSize;

/** Turns what the properties say about tasks into limits, and refuses what cannot work. */
public final class TaskLimitsReader {

    /** The largest value that Redis stores. */
    private static final DataSize MOST = DataSize.ofMegabytes(512);

    private static final int LONGEST_ID = 4096;

    private TaskLimitsReader() {}

    public static TaskLimits read(DelayQueueProperties.Limits limits) {
        return new TaskLimits(
                bytes("delayqueue.limits.payload-size", limits.payloadSize()),
                PropertyValue.between(
                        new PropertyValue<>("delayqueue.limits.id-length", limits.idLength()), 1, LONGEST_ID),
                bytes("delayqueue.limits.header-size", limits.headerSize()));
    }

    private static int bytes(String property, DataSize size) {
        return (int) new PropertyValue<>(property, size)
                .require(s -> s.toBytes() >= 1 && s.compareTo(MOST) <= 0, "between 1B and 512MB")
                .toBytes();
    }
}
