// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.transaction;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes calls within transactions at once. If its logger is at DEBUG, logs each place in the application that makes
 * such a call once. Otherwise the cost is a check of the log level.
 */
public final class ImmediateCalls implements TransactionalCalls {

    /** The name is documented. */
    private static final Logger log = LoggerFactory.getLogger("io.delayqueue.transactions");

    /** Maximum number of places, to limit memory if they are generated at run time. */
    private static final int MOST_PLACES = 1000;

    private static final StackWalker STACK = StackWalker.getInstance();

    private final Set<String> told = ConcurrentHashMap.newKeySet();

    @Override
    public boolean isOpen() {
        if (log.isDebugEnabled() && CurrentTransaction.isOpen()) {
            caller().ifPresent(this::tellOnce);
        }
        return false;
    }

    @Override
    public void add(List<? extends DeferredCall<?>> calls) {
        throw new IllegalStateException("No call is deferred");
    }

    private void tellOnce(String place) {
        if (told.size() < MOST_PLACES && told.add(place)) {
            log.debug(
                    "{} calls a delay queue within a transaction: the call is made at once and remains "
                            + "in effect if the transaction rolls back (delayqueue.transactions=immediate). "
                            + "Logged once per place",
                    place);
        }
    }

    /** Returns the place from which the library was called. */
    private static Optional<String> caller() {
        return STACK.walk(frames -> frames.filter(frame -> !isOurs(frame.getClassName()))
                .findFirst()
                .map(StackWalker.StackFrame::toStackTraceElement)
                .map(StackTraceElement::toString));
    }

    private static boolean isOurs(String type) {
        return type.equals(ImmediateCalls.class.getName())
                || type.startsWith("io.delayqueue.internal.client.")
                || type.startsWith("io.delayqueue.DelayQueueOperations");
    }
}
