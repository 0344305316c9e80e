// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.transaction;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Keeps items in memory until their transactions are decided. A rollback to a savepoint drops later items. A
 * transaction that suspends another has separate items.
 *
 * @param <T> type of the items
 */
public final class UntilCommit<T> {

    /**
     * Listener that is called when a transaction ends, on the thread that ends it. Its exceptions reach the
     * application.
     */
    public interface End<T> {

        /**
         * Called when the transaction has committed, before the application's after-commit callbacks, while the
         * transaction still holds its connection.
         */
        void committed(List<T> items);

        /** Called when the transaction has rolled back, or is about to roll back to a savepoint before these items. */
        void rolledBack(List<T> items);

        /**
         * Called when the outcome of the transaction is unknown because its connection broke or another process decides
         * it.
         */
        void unknown(List<T> items);
    }

    private final End<T> end;

    public UntilCommit(End<T> end) {
        this.end = end;
    }

    /** Like {@link CurrentTransaction#isOpen}, but cheaper if items are already kept. */
    public boolean isOpen() {
        if (!CurrentTransaction.isActive()) {
            return false;
        }
        Kept kept = kept();
        return (kept == null) ? CurrentTransaction.isOpen() : !kept.isEnded();
    }

    /**
     * Keeps items until the end of the calling thread's transaction.
     *
     * @return {@code false} if the transaction has already ended, so that nothing is kept
     */
    public boolean add(List<? extends T> items) {
        Kept kept = kept();
        if (kept == null) {
            kept = new Kept();
            TransactionSynchronizationManager.registerSynchronization(kept);
        }
        return kept.add(items);
    }

    /** Returns the number of items, of all kinds, that are kept for the calling thread's transaction. */
    public static int heldBack() {
        return !TransactionSynchronizationManager.isSynchronizationActive()
                ? 0
                : TransactionSynchronizationManager.getSynchronizations().stream()
                        .mapToInt(each -> each instanceof UntilCommit<?>.Kept kept ? kept.size() : 0)
                        .sum();
    }

    /**
     * Returns the items of the current transaction. Searches the synchronizations, because a thread-bound object may
     * outlive a transaction that other code ends.
     */
    private @Nullable Kept kept() {
        for (TransactionSynchronization each : TransactionSynchronizationManager.getSynchronizations()) {
            if (each instanceof UntilCommit<?>.Kept kept && kept.of() == this) {
                @SuppressWarnings("unchecked") // It belongs to this object.
                Kept ours = (Kept) kept;
                return ours;
            }
        }
        return null;
    }

    /** The items of one transaction, which may end on another thread. */
    private final class Kept implements TransactionSynchronization {

        private final List<T> items = new ArrayList<>();
        private final List<Mark> marks = new ArrayList<>();
        private boolean ended;

        UntilCommit<T> of() {
            return UntilCommit.this;
        }

        /** Makes this run first after the commit, before the application's callbacks. */
        @Override
        public int getOrder() {
            return HIGHEST_PRECEDENCE;
        }

        synchronized boolean isEnded() {
            return ended;
        }

        synchronized int size() {
            return items.size();
        }

        synchronized boolean add(List<? extends T> more) {
            if (!ended) {
                items.addAll(more);
            }
            return !ended;
        }

        @Override
        public synchronized void savepoint(Object savepoint) {
            marks.add(new Mark(savepoint, items.size()));
        }

        /**
         * Drops the items after a savepoint. An unknown savepoint was created before anything was kept. A transaction
         * may roll back to a savepoint more than once.
         */
        @Override
        public void savepointRollback(Object savepoint) {
            List<T> dropped;
            synchronized (this) {
                int mark = marks.size() - 1;
                while (mark >= 0 && marks.get(mark).savepoint() != savepoint) {
                    mark--;
                }
                int size = (mark < 0) ? 0 : marks.get(mark).size();
                marks.subList(mark + 1, marks.size()).clear();
                List<T> after = items.subList(size, items.size());
                dropped = List.copyOf(after);
                after.clear();
            }
            if (!dropped.isEmpty()) {
                end.rolledBack(dropped);
            }
        }

        @Override
        public void afterCommit() {
            List<T> all = take();
            if (!all.isEmpty()) {
                end.committed(all);
            }
        }

        /** Reports the items that remain. After a commit, items remain only if the callback above was not called. */
        @Override
        public void afterCompletion(int status) {
            List<T> left = take();
            if (left.isEmpty()) {
                return;
            }
            switch (status) {
                case STATUS_COMMITTED -> end.committed(left);
                case STATUS_ROLLED_BACK -> end.rolledBack(left);
                default -> end.unknown(left);
            }
        }

        private synchronized List<T> take() {
            ended = true;
            List<T> all = List.copyOf(items);
            items.clear();
            return all;
        }
    }

    /** The number of items when a savepoint was created. */
    private record Mark(Object savepoint, int size) {}
}
