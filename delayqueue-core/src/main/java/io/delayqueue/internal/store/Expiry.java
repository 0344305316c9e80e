// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.TaskContent;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The time after which a task of a queue is no longer delivered, and what happens to it then.
 *
 * @param expiresAfter maximum time overdue at delivery, in whole milliseconds, unless the task sets its own; {@code
 *     null} for unlimited
 * @param kept whether an expired task is kept as a dead task; otherwise it is deleted
 */
public record Expiry(@Nullable Duration expiresAfter, boolean kept) {

    /** Tasks expire only if they set a time themselves. */
    public static final Expiry NEVER = new Expiry(null, true);

    public static final String EXPIRED = "expired";

    /** Returns how long a task with this content may be overdue at delivery; {@code null} for unlimited. */
    public @Nullable Duration longestWait(TaskContent content) {
        Duration own = TimingHeaders.expiresAfter(content.headers());
        return (own == null) ? expiresAfter : own;
    }
}
