// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.transaction;

import io.delayqueue.TransactionMode;
import java.util.List;

/** Handles calls within a transaction. Thread-safe. */
public interface TransactionalCalls {

    /** Makes every call at once, for {@link TransactionMode#IMMEDIATE} and applications without transactions. */
    TransactionalCalls NONE = new TransactionalCalls() {
        @Override
        public boolean isOpen() {
            return false;
        }

        @Override
        public void add(List<? extends DeferredCall<?>> calls) {
            throw new IllegalStateException("No call is deferred");
        }
    };

    /**
     * Returns whether calls of this thread go to {@link #add} instead of Redis. Called before every change, so it
     * should be cheap. Never throws.
     */
    boolean isOpen();

    /**
     * Accepts all or none of these calls of the calling thread. They are made in order if the transaction commits.
     *
     * @param calls at least one
     * @throws io.delayqueue.DelayQueueException if they are not accepted; {@link #isOpen} stays true for the thread
     */
    void add(List<? extends DeferredCall<?>> calls);
}
