// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.client;

import io.delayqueue.DelayQueueException;
import io.delayqueue.store.ScheduleReply;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A call that carried several tasks failed when some of them were stored already. Does not leave this package. */
final class PartlyPlacedException extends DelayQueueException {

    private static final long serialVersionUID = 1L;

    private final transient List<@Nullable ScheduleReply> replies;
    private final Throwable reason;

    /**
     * @param replies one for each task; null for those that failed
     * @param reason why they did
     */
    PartlyPlacedException(List<@Nullable ScheduleReply> replies, Throwable reason) {
        super("Some of the tasks of one call are stored, others are not; see the cause", reason);
        this.reason = reason;
        this.replies = replies;
    }

    List<@Nullable ScheduleReply> replies() {
        return replies;
    }

    Throwable reason() {
        return reason;
    }
}
