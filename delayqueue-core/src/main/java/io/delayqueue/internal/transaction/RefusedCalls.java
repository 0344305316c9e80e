// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.transaction;

import io.delayqueue.TransactionMismatchException;
import java.util.List;

/** Refuses calls within transactions, to catch mistakes. */
public final class RefusedCalls implements TransactionalCalls {

    @Override
    public boolean isOpen() {
        return CurrentTransaction.isOpen();
    }

    @Override
    public void add(List<? extends DeferredCall<?>> calls) {
        TaskChange<?> first = calls.get(0).change();
        throw new TransactionMismatchException(first.what()
                + ": refused within a transaction, because Redis would keep it if the transaction rolls "
                + "back (delayqueue.transactions=refuse). Make the call after the commit, for example in "
                + "a @TransactionalEventListener, or set delayqueue.transactions to after-commit or "
                + "outbox");
    }
}
