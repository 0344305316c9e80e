// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.outbox;

import io.delayqueue.internal.transaction.TaskChange;
import java.util.concurrent.ThreadLocalRandom;

/**
 * One call that was made within a transaction.
 *
 * @param number drawn at random, by which the caller is found that waits for what becomes of it
 * @param change due times in it are points in time
 */
public record Operation(long number, TaskChange<?> change) {

    /** A new one, with a number of its own. */
    static Operation of(TaskChange<?> change) {
        return new Operation(ThreadLocalRandom.current().nextLong(), change);
    }
}
