// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.queue;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The retention of a queue's dead tasks. Deletions are logged and counted.
 *
 * @param retention how long to keep a dead task; null for unlimited
 * @param cap maximum number of dead tasks over all shards; null for unlimited. The oldest are deleted first.
 * @param keep which tasks to keep
 */
public record DeadSettings(
        @Nullable Duration retention, @Nullable Integer cap, Keep keep) {

    /** Keeps all dead tasks until they are redriven or discarded. */
    public static final DeadSettings KEEP_ALL = new DeadSettings(null, null);

    /** Creates settings that keep every task that dies, within these limits. */
    public DeadSettings(@Nullable Duration retention, @Nullable Integer cap) {
        this(retention, cap, Keep.ALL);
    }

    /** Selects the dead tasks that are kept. */
    public enum Keep {
        /** All tasks. */
        ALL,
        /**
         * No tasks. A task is deleted when it dies, and the reason is logged. Quarantined tasks are kept, because
         * unreadable data is evidence of damage.
         */
        NONE
    }

    /** Returns whether all dead tasks are kept until an operator redrives or discards them. */
    public boolean keepsAll() {
        return retention == null && cap == null;
    }
}
