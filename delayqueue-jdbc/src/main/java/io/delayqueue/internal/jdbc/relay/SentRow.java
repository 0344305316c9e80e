// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.relay;

import io.delayqueue.internal.jdbc.outbox.OutboxRow;
import java.util.List;

/**
 * The outcome of sending a row.
 *
 * @param rejected operations that can never be executed
 * @param left the encoded operations to send again; empty if all were executed or rejected
 * @param isUncertain whether a failed operation may still be executed, so that the retry should wait
 */
record SentRow(TakenRow taken, List<Rejection> rejected, byte[] left, boolean isUncertain) {

    static final byte[] NONE = {};

    OutboxRow row() {
        return taken.row();
    }

    boolean isDone() {
        return left.length == 0;
    }

    /** Returns whether all operations are left. */
    boolean isUnchanged() {
        return left.length == row().operations().length;
    }

    /**
     * Operations that can never be executed.
     *
     * @param operations the encoded operations
     * @param reason the reason, for an operator
     */
    record Rejection(byte[] operations, String reason) {}
}
