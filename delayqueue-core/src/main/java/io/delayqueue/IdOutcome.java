// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import org.jspecify.annotations.Nullable;

/**
 * One line of the report on a call for many ids: either what became of the task or the error that it met; after a
 * {@link TaskNotReplicatedException} only the error, which knows both.
 *
 * @param id the task's id
 * @param outcome what happened, or null when that is not known
 * @param error why it is not; null when it is
 * @param <O> what a call for one id answers
 */
public record IdOutcome<O>(
        String id, @Nullable O outcome, @Nullable DelayQueueException error) {}
