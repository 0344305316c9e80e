// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.transaction;

import java.util.Set;
import java.util.stream.Stream;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Detects whether the calling thread is in a transaction that may still roll back. Spring reports a transaction as
 * active until the last callback after its commit has returned. Here, the transaction is over for calls from such a
 * callback.
 *
 * <p>Does not see transactions of managers that do not synchronize ({@code SYNCHRONIZATION_NEVER}) or of reactive
 * managers.
 */
public final class CurrentTransaction {

    private static final StackWalker STACK = StackWalker.getInstance();

    private static final String CALLBACKS = "org.springframework.transaction.support.TransactionSynchronizationUtils";

    /** Classes that begin or continue a transaction around application code. */
    private static final Set<String> BOUNDARIES = Set.of(
            "org.springframework.transaction.support.TransactionTemplate",
            "org.springframework.transaction.interceptor.TransactionAspectSupport");

    private CurrentTransaction() {}

    /**
     * Returns whether there is a transaction that may still roll back. Cheap without a transaction; within one, it may
     * inspect the stack for some microseconds.
     */
    public static boolean isOpen() {
        return isActive() && !isAfterCommit();
    }

    /** Returns whether there is a transaction, including in callbacks between commit and completion. Always cheap. */
    static boolean isActive() {
        // During completion callbacks, only the second condition is false.
        return TransactionSynchronizationManager.isActualTransactionActive()
                && TransactionSynchronizationManager.isSynchronizationActive();
    }

    /**
     * Returns whether a callback after a commit is running. Inspects the stack, because Spring does not expose this.
     */
    private static boolean isAfterCommit() {
        return !TransactionSynchronizationManager.getSynchronizations().isEmpty()
                && STACK.walk(CurrentTransaction::isWithinCallback);
    }

    private static boolean isWithinCallback(Stream<StackWalker.StackFrame> frames) {
        return frames.filter(frame -> isCallback(frame) || BOUNDARIES.contains(frame.getClassName()))
                .findFirst()
                .map(CurrentTransaction::isCallback)
                .orElse(false);
    }

    private static boolean isCallback(StackWalker.StackFrame frame) {
        return frame.getClassName().equals(CALLBACKS) && frame.getMethodName().equals("invokeAfterCommit");
    }
}
