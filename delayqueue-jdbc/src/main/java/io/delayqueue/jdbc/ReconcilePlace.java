// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import io.delayqueue.admin.TaskPosition;
import org.jspecify.annotations.Nullable;

/**
 * How far a run has come. Plain values, so that it can be stored.
 *
 * @param leftOvers whether all of the application's tasks were compared, so that the run looks for what is left over
 * @param expectedAfter the id of the application's last task that was compared; null for none
 * @param liveAfter the place among the queue's tasks until which they were compared; null for their beginning
 */
public record ReconcilePlace(
        boolean leftOvers,
        @Nullable String expectedAfter,
        @Nullable TaskPosition liveAfter) {

    /** The place before everything. */
    public static ReconcilePlace beginning() {
        return new ReconcilePlace(false, null, null);
    }
}
