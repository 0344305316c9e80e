// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.relay;

import io.delayqueue.internal.jdbc.outbox.OutboxRow;

/**
 * A row that this process sends.
 *
 * @param row as it was read
 * @param attempts of the row as long as no other process has taken it
 * @param ourUntilNanos until when other processes leave it alone, by {@link System#nanoTime}
 */
record TakenRow(OutboxRow row, int attempts, long ourUntilNanos) {}
