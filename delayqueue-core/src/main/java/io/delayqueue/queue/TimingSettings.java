// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.queue;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * When tasks of a queue are too late to be delivered. Every process that delivers from the queue should have the same.
 *
 * @param expiresAfter how long a task may be overdue when it is delivered, where its request does not say so; null for
 *     any time
 * @param expired what becomes of a task that is overdue by more
 */
public record TimingSettings(@Nullable Duration expiresAfter, Expired expired) {

    /** Every task is delivered, however late. */
    public static final TimingSettings NONE = new TimingSettings(null, Expired.DEAD);

    public TimingSettings {
        if (expiresAfter != null) {
            Bound.EXPIRES_AFTER.check("expires-after", expiresAfter);
        }
    }

    /** What becomes of a task that is too late. */
    public enum Expired {
        /** It is kept as a dead task with the reason {@code expired}, unless the queue keeps none. */
        DEAD,
        /** It is deleted. */
        DROPPED
    }
}
