// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.relay;

import io.delayqueue.internal.jdbc.outbox.OutboxRow;

/**
 * A row that this process sends.
 *
 * @param row the row as read
 * @param attempts the row's attempts, unless another process has taken it
 * @param ourUntilNanos when other processes may take it, by {@link System#nanoTime}
 */
record TakenRow(OutboxRow row, int attempts, long ourUntilNanos) {}
