// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.TaskContent;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The rule for tasks of a queue that are too late to deliver.
 *
 * @param expiresAfter how long a task may be overdue at delivery, in whole milliseconds, unless it sets its own limit;
 *     {@code null} for unlimited
 * @param kept whether an expired task is kept as a dead task; otherwise it is deleted
 */
public record Expiry(@Nullable Duration expiresAfter, boolean kept) {

    /** Only tasks that set their own limit expire. */
    public static final Expiry NEVER = new Expiry(null, true);

    public static final String EXPIRED = "expired";

    /** Returns how long a task with this content may be overdue at delivery; {@code null} for unlimited. */
    public @Nullable Duration longestWait(TaskContent content) {
        Duration own = TimingHeaders.expiresAfter(content.headers());
        return (own == null) ? expiresAfter : own;
    }
}
