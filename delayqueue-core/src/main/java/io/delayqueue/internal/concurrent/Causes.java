// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.concurrent;

import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** What went wrong in a call, without what a future wraps around it on the way to those who wait. */
public final class Causes {

    private Causes() {}

    /** Unwraps however often it was wrapped; one that wraps nothing is its own cause. */
    public static Throwable of(Throwable error) {
        Throwable cause = error;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }
}
