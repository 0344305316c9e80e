// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.transaction;

import io.delayqueue.DelayQueueException;
import org.jspecify.annotations.Nullable;

/**
 * What became of a change that was to be carried out.
 *
 * @param change the change
 * @param outcome what happened, of the type that the change answers; null where that is not known
 * @param error why it is not known; of a task that was scheduled there may be both, see {@link
 *     io.delayqueue.TaskNotReplicatedException}
 */
public record ChangeResult(
        TaskChange<?> change,
        @Nullable Object outcome,
        @Nullable DelayQueueException error) {}
