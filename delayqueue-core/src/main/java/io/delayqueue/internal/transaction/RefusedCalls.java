// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.transaction;

import io.delayqueue.CallWithinTransactionException;
import java.util.List;

/** Refuses calls within transactions, so that none is made by mistake. */
public final class RefusedCalls implements TransactionalCalls {

    @Override
    public boolean isOpen() {
        return CurrentTransaction.isOpen();
    }

    @Override
    public void add(List<? extends DeferredCall<?>> calls) {
        TaskChange<?> first = calls.get(0).change();
        throw new CallWithinTransactionException(first.what()
                + ": refused within a transaction, as Redis would keep it although the transaction rolls back"
                + " (delayqueue.transactions=refuse). Make the call after the commit, such as in a"
                + " @TransactionalEventListener, or set delayqueue.transactions to after-commit or outbox");
    }
}
