// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.relay;

import io.delayqueue.DelayQueueException;
import io.delayqueue.TaskStoreException;
import io.delayqueue.UnknownQueueException;
import io.delayqueue.internal.jdbc.outbox.OutboxRow;

/** Which errors will not go away by themselves. Those of the store do, or when a person has mended it. */
final class Refusals {

    /** Enough to span a rolling change of the configuration: the pauses between them become 10 s. */
    static final int MOST_ATTEMPTS = 30;

    /** Whether an operation of the row will never be carried out. */
    boolean isForGood(DelayQueueException error, OutboxRow row) {
        if (error instanceof UnknownQueueException) {
            return row.attempts() >= MOST_ATTEMPTS; // another process may know it
        }
        return !(error instanceof TaskStoreException);
    }

    /** Why, for people. */
    String reason(DelayQueueException error) {
        return error.getClass().getSimpleName() + ": " + error.getMessage();
    }
}
