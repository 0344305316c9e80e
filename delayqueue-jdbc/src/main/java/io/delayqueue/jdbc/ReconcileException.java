// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import io.delayqueue.DelayQueueException;

/** Thrown if a run failed and ended early. See the cause. */
public class ReconcileException extends DelayQueueException {

    private final transient ReconcileResult result;

    public ReconcileException(String message, ReconcileResult result, Throwable cause) {
        super(message, cause);
        this.result = result;
    }

    /** Returns the findings up to the failure. */
    public ReconcileResult result() {
        return result;
    }
}
