// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.transaction;

import java.util.ArrayDeque;
import java.util.Deque;
import org.springframework.transaction.SavepointManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

/** Transactions of nothing, with all that Spring's managers do around them: suspension, savepoints, synchronization. */
public final class MemoryTransactions extends AbstractPlatformTransactionManager {

    private static final long serialVersionUID = 1;

    private final transient ThreadLocal<Deque<Resource>> current = ThreadLocal.withInitial(ArrayDeque::new);
    private volatile boolean losesCommits;

    public MemoryTransactions() {
        setNestedTransactionAllowed(true);
        setRollbackOnCommitFailure(false);
    }

    public TransactionTemplate required() {
        return new TransactionTemplate(this);
    }

    public TransactionTemplate with(int propagation) {
        TransactionTemplate template = required();
        template.setPropagationBehavior(propagation);
        return template;
    }

    /** The connection breaks during each commit from now on. */
    public void loseCommits() {
        this.losesCommits = true;
    }

    @Override
    protected Object doGetTransaction() {
        Resource resource = current.get().peek();
        return (resource != null) ? resource : new Resource();
    }

    @Override
    protected boolean isExistingTransaction(Object transaction) {
        return current.get().contains(transaction);
    }

    @Override
    protected void doBegin(Object transaction, TransactionDefinition definition) {
        current.get().push((Resource) transaction);
    }

    @Override
    protected Object doSuspend(Object transaction) {
        Deque<Resource> suspended = current.get();
        current.set(new ArrayDeque<>());
        return suspended;
    }

    @Override
    @SuppressWarnings("unchecked")
    protected void doResume(Object transaction, Object suspended) {
        current.set((Deque<Resource>) suspended);
    }

    @Override
    protected void doCommit(DefaultTransactionStatus status) {
        if (losesCommits) {
            throw new TransactionSystemException("the connection broke");
        }
    }

    @Override
    protected void doRollback(DefaultTransactionStatus status) {
        // there is nothing to undo
    }

    @Override
    protected void doSetRollbackOnly(DefaultTransactionStatus status) {
        ((Resource) status.getTransaction()).rollbackOnly = true;
    }

    @Override
    protected void doCleanupAfterCompletion(Object transaction) {
        current.get().remove(transaction);
    }

    /** Stands for a connection. */
    private static final class Resource
            implements SavepointManager, org.springframework.transaction.support.SmartTransactionObject {

        private boolean rollbackOnly;

        @Override
        public boolean isRollbackOnly() {
            return rollbackOnly;
        }

        @Override
        public Object createSavepoint() {
            return new Object();
        }

        @Override
        public void rollbackToSavepoint(Object savepoint) {
            rollbackOnly = false;
        }

        @Override
        public void releaseSavepoint(Object savepoint) {
            // nothing is held
        }

        @Override
        public void flush() {
            // nothing is buffered
        }
    }
}
