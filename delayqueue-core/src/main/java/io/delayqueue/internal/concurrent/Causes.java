// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.concurrent;

import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Unwraps exceptions of futures. */
public final class Causes {

    private Causes() {}

    /** Unwraps any number of wrappers. An exception without a wrapper is returned unchanged. */
    public static Throwable of(Throwable error) {
        Throwable cause = error;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }
}
