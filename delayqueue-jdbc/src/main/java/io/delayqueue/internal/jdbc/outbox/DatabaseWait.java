// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.outbox;

import io.delayqueue.internal.concurrent.Causes;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.springframework.dao.QueryTimeoutException;

/** Waits briefly for a read on another thread, so that callers do not block if the database hangs. */
public final class DatabaseWait {

    private static final Duration LONGEST = Duration.ofSeconds(2);

    private DatabaseWait() {}

    /**
     * Waits for a read and returns its result.
     *
     * @param what the end of the sentence "The database was asked ..." in the message
     * @throws org.springframework.dao.DataAccessException if reading fails or takes too long
     */
    public static <T> T answer(CompletableFuture<T> reading, String what) {
        try {
            return reading.get(LONGEST.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException ex) {
            throw new QueryTimeoutException(
                    "The database was asked " + what + ", but has not answered within " + LONGEST.toSeconds() + " s",
                    ex);
        } catch (ExecutionException ex) {
            Throwable cause = Causes.of(ex);
            throw (cause instanceof RuntimeException known) ? known : new CompletionException(cause);
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            throw new QueryTimeoutException("Interrupted while asking the database " + what, ex);
        }
    }
}
