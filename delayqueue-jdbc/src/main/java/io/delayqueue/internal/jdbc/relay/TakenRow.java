// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.relay;

import io.delayqueue.internal.jdbc.outbox.OutboxRow;

/**
 * A row that this process sends.
 *
 * @param attempts number of attempts, as long as no other process has taken the row
 * @param ourUntilNanos end of the row's reservation for this process, by {@link System#nanoTime}
 */
record TakenRow(OutboxRow row, int attempts, long ourUntilNanos) {}
