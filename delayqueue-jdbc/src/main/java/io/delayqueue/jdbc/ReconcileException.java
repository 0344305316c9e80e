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

    /** What was found until then, and the place from which to go on. */
    public ReconcileResult result() {
        return result;
    }
}
