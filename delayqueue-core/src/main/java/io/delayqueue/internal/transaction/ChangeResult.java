// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.transaction;

import io.delayqueue.DelayQueueException;
import org.jspecify.annotations.Nullable;

/**
 * The result of a change.
 *
 * @param outcome the outcome, of the type that the change defines; null if unknown
 * @param error the failure; a scheduled task may have both an outcome and an error, see {@link
 *     io.delayqueue.TaskNotReplicatedException}
 */
public record ChangeResult(
        TaskChange<?> change,
        @Nullable Object outcome,
        @Nullable DelayQueueException error) {}
