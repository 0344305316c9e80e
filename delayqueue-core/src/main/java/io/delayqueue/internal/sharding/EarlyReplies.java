// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.sharding;

import io.delayqueue.internal.store.ScheduleReply;

/** Hears of a task that is stored while others of the same call have to wait; may be told twice. */
@FunctionalInterface
public interface EarlyReplies {

    /** @param task its position in the call */
    void stored(int task, ScheduleReply reply);
}
