// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

/** Selects which tasks of a call are stored. */
public enum ScheduleMode {
    /** Each task, according to its conflict policy. */
    EACH,
    /** Tasks whose ids already exist in the shard. */
    ONLY_STORED
}
