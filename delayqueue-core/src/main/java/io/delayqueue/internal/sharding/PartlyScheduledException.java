// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.sharding;

import io.delayqueue.DelayQueueException;
import io.delayqueue.internal.store.ScheduleReply;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A call that carried several tasks failed when some of them were stored already. No caller of the library sees it:
 * each task is told its own outcome.
 */
public final class PartlyScheduledException extends DelayQueueException {

    private static final long serialVersionUID = 1L;

    private final transient List<@Nullable ScheduleReply> replies;
    private final Throwable reason;

    /**
     * @param replies one for each task; null for those that failed
     * @param reason why they did
     */
    PartlyScheduledException(List<@Nullable ScheduleReply> replies, Throwable reason) {
        super("Some of the tasks of one call are stored, others are not; see the cause", reason);
        this.reason = reason;
        this.replies = replies;
    }

    public List<@Nullable ScheduleReply> replies() {
        return replies;
    }

    public Throwable reason() {
        return reason;
    }
}
