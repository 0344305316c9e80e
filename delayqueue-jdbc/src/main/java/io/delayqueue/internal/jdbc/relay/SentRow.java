// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.relay;

import io.delayqueue.DelayQueueException;
import io.delayqueue.internal.jdbc.outbox.OutboxRow;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of sending a row.
 *
 * @param rejected operations that can never be executed
 * @param error reason to retry the row; null if all its operations were executed
 * @param isUncertain whether a failed operation may still be executed, so that the retry should wait
 */
record SentRow(
        TakenRow taken, List<Rejection> rejected, @Nullable DelayQueueException error, boolean isUncertain) {

    OutboxRow row() {
        return taken.row();
    }

    boolean isDone() {
        return error == null;
    }

    /**
     * Operations that can never be executed.
     *
     * @param operations the encoded operations
     * @param reason the reason, for an operator
     */
    record Rejection(byte[] operations, String reason) {}
}
