// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

/** Selects the tasks of a call that are stored. */
public enum ScheduleMode {
    /** Each task, according to its conflict policy. */
    EACH,
    /** Tasks whose ids already exist in the shard. */
    ONLY_STORED,
    /**
     * All or none: if a policy keeps an existing task, or one is migrating, the others return
     * {@link ScheduleReply#LEFT_OUT}. A repetition after a lost reply returns the first result, unless tasks were
     * delivered or deleted in the meantime: those are stored again.
     */
    ALL_OR_NONE
}
