// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.relay;

import io.delayqueue.DelayQueueException;
import io.delayqueue.internal.jdbc.outbox.OutboxRow;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What became of a row that was sent.
 *
 * @param row as it was read
 * @param rejected what of it can never be carried out
 * @param error why it has to be sent again; null if nothing of it is left to do
 * @param isUncertain whether an operation that failed may still be carried out, so that the row should not be sent
 *     again at once
 */
record SentRow(
        OutboxRow row, List<Rejection> rejected, @Nullable DelayQueueException error, boolean isUncertain) {

    boolean isDone() {
        return error == null;
    }

    /**
     * Operations that can never be carried out.
     *
     * @param operations encoded
     * @param reason for people
     */
    record Rejection(byte[] operations, String reason) {}
}
