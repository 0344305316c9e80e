// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.transaction;

import java.util.List;

/** What becomes of calls that are made within a transaction. Safe for use by many threads. */
public interface TransactionalCalls {

    /** For applications that have no transactions: every call is made at once. */
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
     * Whether a call of this thread is to go to {@link #add} and not to Redis. Asked before every call that changes something,
     * so it should be cheap. Throws nothing.
     */
    boolean isOpen();

    /**
     * Takes over calls of this thread, all or none of them, to be carried out in their order if the transaction commits.
     *
     * @param calls at least one
     * @throws io.delayqueue.DelayQueueException if they are not taken over; what was told to {@link #isOpen} goes for the thread
     *     still
     */
    void add(List<? extends DeferredCall<?>> calls);
}
