// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.relay;

import io.delayqueue.internal.jdbc.outbox.OutboxRow;

/**
 * A row that this process sends.
 *
 * @param attempts the row's number of attempts, unless another process has taken it
 * @param ourUntilNanos the end of the time when only this process may take it, by {@link System#nanoTime}
 */
record TakenRow(OutboxRow row, int attempts, long ourUntilNanos) {}
