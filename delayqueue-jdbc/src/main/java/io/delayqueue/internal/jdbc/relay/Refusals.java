// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.relay;

import io.delayqueue.DelayQueueException;
import io.delayqueue.InvalidTaskException;
import io.delayqueue.TaskNotReplicatedException;
import io.delayqueue.TaskStoreException;
import io.delayqueue.UnknownQueueException;
import io.delayqueue.internal.jdbc.outbox.OutboxRow;
import java.time.Duration;

/** What the errors of operations mean. One that is not known here is tried again, whatever it is. */
final class Refusals {

    /** Rows of a queue that is not known here are other processes' to send, which may be away for long. */
    static final Duration UNKNOWN_QUEUE = Duration.ofDays(1);

    /** Whether an operation of the row will never be carried out. */
    boolean isForGood(DelayQueueException error, OutboxRow row) {
        if (error instanceof UnknownQueueException) {
            return row.waited().compareTo(UNKNOWN_QUEUE) >= 0;
        }
        return error instanceof InvalidTaskException;
    }

    /** Whether the operation was carried out nevertheless. */
    boolean hasTakenEffect(DelayQueueException error) {
        return error instanceof TaskNotReplicatedException;
    }

    /** Whether an operation that failed may still be carried out. */
    boolean isUncertain(DelayQueueException error) {
        return (error instanceof TaskStoreException store)
                ? store.mayHaveBeenApplied()
                : !(error instanceof InvalidTaskException);
    }

    /** Why, for people. */
    String reason(DelayQueueException error) {
        return error.getClass().getSimpleName() + ": " + error.getMessage();
    }
}
