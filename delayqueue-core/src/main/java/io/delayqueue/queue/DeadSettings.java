// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.queue;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Whether, how long and how many dead tasks a queue keeps. What is deleted is logged and counted.
 *
 * @param retention how long a dead task is kept; null for unlimited
 * @param cap maximum number of dead tasks that are kept, over all shards; null for unlimited. The longest dead of the
 *     queue are deleted first
 * @param keep which tasks are kept at all
 */
public record DeadSettings(
        @Nullable Duration retention, @Nullable Integer cap, Keep keep) {

    /** Dead tasks are kept for 90 days, and 100,000 of them. */
    public static final DeadSettings DEFAULT = new DeadSettings(Duration.ofDays(90), 100_000);

    /** All are kept until someone redrives or discards them. */
    public static final DeadSettings KEEP_ALL = new DeadSettings(null, null);

    /** Every task that dies is kept at first. */
    public DeadSettings(@Nullable Duration retention, @Nullable Integer cap) {
        this(retention, cap, Keep.ALL);
    }

    /** Which of the tasks that die are kept. */
    public enum Keep {
        /** All of them. */
        ALL,
        /**
         * None: the task is deleted when it dies, which is logged with its reason. What is quarantined because it
         * cannot be read is kept all the same: it is evidence of damage.
         */
        NONE
    }

    /** Whether what is kept at first is never deleted. */
    public boolean keepsAll() {
        return retention == null && cap == null;
    }
}
