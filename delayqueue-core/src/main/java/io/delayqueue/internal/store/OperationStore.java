// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Where processes note how far their operations by filter are, and learn of those of others. An operation is run by one process at
 * a time, until that ends it or has been silent for {@link OperationPut#SILENCE}. Calls, threads and failures are as those of
 * {@link TaskStore}.
 */
public interface OperationStore {

    /** Notes how far an operation is, or asks to run it, which is refused if it was noted since it was read. */
    CompletableFuture<OperationPut.Answer> put(String handle, OperationPut put);

    /** Asks whoever runs an operation to end it. Answers whether it is known to run. */
    CompletableFuture<Boolean> stop(String handle);

    /**
     * Reads operations.
     *
     * @param handle of one; empty for all
     */
    CompletableFuture<List<StoredOperation>> read(String handle);
}
