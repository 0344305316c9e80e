// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.util.List;

/**
 * Which dead tasks are to live again, and when they are due.
 *
 * @param ids 1 to {@link TaskStore#MAX_BATCH}, all different
 * @param gapMicros between two due times; 0: all at once
 * @param notBeforeMicros for paced ones: none is due before, microseconds since the epoch
 */
public record RedriveRequest(List<String> ids, long gapMicros, long notBeforeMicros) {

    public RedriveRequest {
        TaskStore.checkBatch(ids.size());
    }

    /** Due at once. */
    public static RedriveRequest now(List<String> ids) {
        return new RedriveRequest(ids, 0, 0);
    }
}
