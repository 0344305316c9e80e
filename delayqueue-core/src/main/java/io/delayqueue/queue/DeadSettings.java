// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.queue;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long and how many dead tasks a queue keeps. Whatever is dropped is reported.
 *
 * @param retention how long a dead task is kept; null for unlimited
 * @param cap maximum number of dead tasks that are kept, over all shards; null for unlimited. The longest dead of the
 *     queue are dropped first
 */
public record DeadSettings(
        @Nullable Duration retention, @Nullable Integer cap) {

    /** All are kept until someone redrives or discards them. */
    public static final DeadSettings KEEP_ALL = new DeadSettings(null, null);

    /** Whether nothing is ever dropped. */
    public boolean keepsAll() {
        return retention == null && cap == null;
    }
}
