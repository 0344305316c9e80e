// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.transaction;

import java.util.Set;
import java.util.stream.Stream;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Whether the calling thread is in a transaction that may still roll back. Spring says of a transaction that it is active until
 * the last callback after its commit has returned; a call that is made there knows that the commit has happened, so that for it
 * the transaction is over.
 *
 * <p>Transactions of managers that synchronize nothing ({@code SYNCHRONIZATION_NEVER}) and those of reactive managers are not seen.
 */
public final class CurrentTransaction {

    private static final StackWalker STACK = StackWalker.getInstance();

    private static final String CALLBACKS = "org.springframework.transaction.support.TransactionSynchronizationUtils";

    /** What begins a transaction, or goes on with one, around code of the application. */
    private static final Set<String> BOUNDARIES = Set.of(
            "org.springframework.transaction.support.TransactionTemplate",
            "org.springframework.transaction.interceptor.TransactionAspectSupport");

    private CurrentTransaction() {}

    /**
     * Whether there is one, and its end is not known yet. Cheap where there is none; within one, the stack may be looked at, for
     * some microseconds.
     */
    public static boolean isOpen() {
        return isActive() && !isAfterCommit();
    }

    /** The same, but also true in callbacks between the commit and the completion. Always cheap. */
    static boolean isActive() {
        // After the completion callbacks have begun only the second is false.
        return TransactionSynchronizationManager.isActualTransactionActive()
                && TransactionSynchronizationManager.isSynchronizationActive();
    }

    /** Nothing but the stack knows: whose callback is running is one of the synchronizations, and Spring keeps no state. */
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
