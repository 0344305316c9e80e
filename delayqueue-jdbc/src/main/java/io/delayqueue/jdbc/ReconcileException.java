// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import io.delayqueue.DelayQueueException;

/** A run has ended early because something failed, which is its cause. */
public class ReconcileException extends DelayQueueException {

    private final transient ReconcileResult result;

    public ReconcileException(String message, ReconcileResult result, Throwable cause) {
        super(message, cause);
        this.result = result;
    }

    /** Returns what was found until then. */
    public ReconcileResult result() {
        return result;
    }
}
