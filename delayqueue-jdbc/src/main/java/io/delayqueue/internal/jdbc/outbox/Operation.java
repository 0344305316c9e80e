// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.outbox;

import io.delayqueue.internal.transaction.TaskChange;

/**
 * One call that was made within a transaction.
 *
 * @param number drawn at random, by which the caller is found that waits for what becomes of it
 * @param change due times in it are points in time
 */
public record Operation(long number, TaskChange<?> change) {}
