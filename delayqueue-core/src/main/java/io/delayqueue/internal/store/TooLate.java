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
 * @param misfireAfter how long a task may have been due when it is taken for the first time, in whole milliseconds; one that has
 *     been due for longer has misfired and is deleted. Null for any time
 * @param takesLatest whether of a group's tasks that have misfired the latest is taken all the same, and those that have no
 *     group are: of those of a shard that is the one that an acquire comes to last. Where more than 1,000 of the group have not
 *     misfired, because they wait, were tried or are dead, more than one may be taken
 */
public record TooLate(
        @Nullable Duration expiresAfter,
        boolean kept,
        @Nullable Duration misfireAfter,
        boolean takesLatest) {

    /** Tasks may be delivered at any time, unless they say otherwise. */
    public static final TooLate NEVER = new TooLate(null, true, null, false);

    /** Why a task that was too late is dead. */
    public static final String EXPIRED = "expired";

    /** Why a task was deleted that was too late for its first attempt. */
    public static final String MISFIRED = "misfired";

    /** The same, with any first attempt in time. */
    public TooLate(@Nullable Duration expiresAfter, boolean kept) {
        this(expiresAfter, kept, null, false);
    }

    /** The same, and of what has misfired nothing is taken. */
    public TooLate(@Nullable Duration expiresAfter, boolean kept, @Nullable Duration misfireAfter) {
        this(expiresAfter, kept, misfireAfter, false);
    }

    /** Whether that is why a task died. */
    public static boolean isReason(String reason) {
        return reason.equals(EXPIRED) || reason.equals(MISFIRED);
    }

    /** Whether a task that died for this reason is kept. */
    public boolean keeps(String reason) {
        return kept && reason.equals(EXPIRED);
    }

    /** How long a task with this content may have been due; null for any time. */
    public @Nullable Duration longestWait(TaskContent content) {
        Duration own = TimingHeaders.expiresAfter(content.headers());
        return (own == null) ? expiresAfter : own;
    }
}
