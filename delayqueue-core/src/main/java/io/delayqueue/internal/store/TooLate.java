// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.delivery.TaskContent;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * When a task of a queue is too late to be delivered, and what becomes of it then.
 *
 * @param expiresAfter how long it may have been due, in whole milliseconds, unless it says so itself; null for any time
 * @param kept whether a task that has been due for longer is kept as a dead one; otherwise it is deleted
 */
public record TooLate(@Nullable Duration expiresAfter, boolean kept) {

    /** Tasks may be delivered at any time, unless they say otherwise. */
    public static final TooLate NEVER = new TooLate(null, true);

    /** The reason of a task that was too late. */
    public static final String EXPIRED = "expired";

    /** How long a task with this content may have been due; null for any time. */
    public @Nullable Duration longestWait(TaskContent content) {
        Duration own = TimingHeaders.expiresAfter(content.headers());
        return (own == null) ? expiresAfter : own;
    }
}
