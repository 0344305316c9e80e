// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.transaction;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Keeps what is added within transactions in memory until each of them is decided. What is added after a savepoint is forgotten
 * with a rollback to it, and a transaction that suspends another one has things of its own.
 *
 * @param <T> what is kept
 */
public final class UntilCommit<T> {

    /** Hears of the ends of transactions, on the thread that ends each of them. What it throws, the application sees. */
    public interface End<T> {

        /**
         * The transaction has committed. Called before the callbacks of the application that run after the commit, while the
         * transaction's connection is still held.
         */
        void committed(List<T> items);

        /** The transaction has rolled back, or is about to roll back to a savepoint before these. */
        void rolledBack(List<T> items);

        /** Whether the transaction has committed cannot be known, as its connection broke or another process decides it. */
        void unknown(List<T> items);
    }

    private final End<T> end;

    public UntilCommit(End<T> end) {
        this.end = end;
    }

    /** As {@link CurrentTransaction#isOpen}; cheaper where something is kept already. */
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
     * @return false if the transaction has ended already, so that nothing is kept
     */
    public boolean add(List<? extends T> items) {
        Kept kept = kept();
        if (kept == null) {
            kept = new Kept();
            TransactionSynchronizationManager.registerSynchronization(kept);
        }
        return kept.add(items);
    }

    /** Returns how many items the calling thread's transaction holds back, of whatever kind. */
    public static int heldBack() {
        return !TransactionSynchronizationManager.isSynchronizationActive()
                ? 0
                : TransactionSynchronizationManager.getSynchronizations().stream()
                        .mapToInt(each -> each instanceof UntilCommit<?>.Kept kept ? kept.size() : 0)
                        .sum();
    }

    /** Of the current transaction. It is looked for, as what is bound to a thread may outlive a transaction that others end. */
    private @Nullable Kept kept() {
        for (TransactionSynchronization each : TransactionSynchronizationManager.getSynchronizations()) {
            if (each instanceof UntilCommit<?>.Kept kept && kept.of() == this) {
                @SuppressWarnings("unchecked") // it is one of this object's
                Kept ours = (Kept) kept;
                return ours;
            }
        }
        return null;
    }

    /** What one transaction keeps. Its end may come on another thread than its items. */
    private final class Kept implements TransactionSynchronization {

        private final List<T> items = new ArrayList<>();
        private final List<Mark> marks = new ArrayList<>();
        private boolean ended;

        UntilCommit<T> of() {
            return UntilCommit.this;
        }

        /** The first to hear of the commit: what the application does in its callbacks comes after. */
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

        /** A savepoint that is not known was made before anything was kept. It may be rolled back to again. */
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

        /** After a commit there is something left only if the callback above was not made. */
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

    /** How much was kept when a savepoint was made. */
    private record Mark(Object savepoint, int size) {}
}
