// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.handler;

import io.delayqueue.DelayQueueException;
import java.time.Duration;

/**
 * The failure of an attempt that exceeded its time limit. Its stack trace is that of the handler at this time. An
 * exception that the handler threw later is added as suppressed.
 */
public final class HandlerTimeoutException extends DelayQueueException {

    HandlerTimeoutException(Duration limit, StackTraceElement[] handler) {
        super("timed out after " + text(limit));
        setStackTrace(handler);
    }

    private static String text(Duration limit) {
        return limit.toMillis() % 1000 == 0 ? limit.toSeconds() + " s" : limit.toMillis() + " ms";
    }
}
