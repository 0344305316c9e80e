// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import org.jspecify.annotations.Nullable;

/**
 * What was done to waiting tasks of a shard.
 *
 * @param done to how many it was done
 * @param left how many stay as they were: leased, or on their way to another shard
 * @param last the task that was looked at last; null if there was none
 * @param more whether others follow
 */
public record WaitingTasksDone(
        long done, long left, @Nullable LivePosition last, boolean more) {}
