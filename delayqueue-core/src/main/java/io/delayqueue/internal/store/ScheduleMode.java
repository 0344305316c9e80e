// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

/** Which tasks of a call are stored. */
public enum ScheduleMode {
    /** Each of them, as its conflict policy says. */
    EACH,
    /** Those whose ids are in the shard already. */
    ONLY_STORED,
    /**
     * All or none: where one of them is kept by its policy, or is migrating, the others answer {@link
     * ScheduleReply#LEFT_OUT}. Sent again after its answer was lost, such a call answers as the first time, unless tasks of
     * it were delivered or deleted meanwhile: those are stored again.
     */
    ALL_OR_NONE
}
