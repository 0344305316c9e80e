// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.outbox;

import io.delayqueue.internal.transaction.TaskChange;
import java.util.concurrent.ThreadLocalRandom;

/**
 * One call made within a transaction.
 *
 * @param number a random number that identifies the caller waiting for the outcome
 * @param change the change; its due times are absolute
 */
public record Operation(long number, TaskChange<?> change) {

    static Operation of(TaskChange<?> change) {
        return new Operation(ThreadLocalRandom.current().nextLong(), change);
    }
}
