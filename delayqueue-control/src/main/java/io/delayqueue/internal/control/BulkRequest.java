// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import io.delayqueue.Due;
import io.delayqueue.control.BulkAction;
import io.delayqueue.control.TaskFilter;
import io.delayqueue.internal.admin.PacedDueTimes;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request to change all tasks that match a filter.
 *
 * @param queue their queue
 * @param action the change
 * @param filter the tasks
 * @param to the new due time, for {@link BulkAction#RESCHEDULE}; otherwise null
 * @param perSecond maximum number of tasks that become due per second, 1 to 1,000,000, for
 *     {@linkplain BulkAction#isPaced rate-limited} actions; otherwise null
 * @param dryRun whether to count the tasks instead of changing them
 */
public record BulkRequest(
        String queue,
        BulkAction action,
        TaskFilter filter,
        @Nullable Instant to,
        @Nullable Integer perSecond,
        boolean dryRun) {

    public BulkRequest {
        if (perSecond == null) {
            if (action.isPaced()) {
                throw new IllegalArgumentException(
                        "Give 'perSecond', the maximum number of tasks that become due per second: " + text(action)
                                + " makes tasks due at a limited rate");
            }
        } else if (action.isPaced()) {
            PacedDueTimes.require(perSecond);
        } else {
            throw new IllegalArgumentException(
                    "Leave 'perSecond' out. It limits how many tasks become due per second, but "
                            + text(action)
                            + (action == BulkAction.RESCHEDULE
                                    ? " makes all tasks due at the same moment"
                                    : " makes no task due"));
        }
        if ((action == BulkAction.RESCHEDULE) != (to != null)) {
            throw new IllegalArgumentException("Give 'to', the new due time, only for a reschedule");
        }
        if (to != null) {
            // Rounds to milliseconds as stored, so that tasks that already have this due time are recognized.
            to = Instant.ofEpochMilli(Due.at(to).millis());
        }
    }

    private static String text(BulkAction action) {
        return action.name().toLowerCase(Locale.ROOT);
    }

    String actionText() {
        return text(action);
    }

    Map<String, String> asText() {
        Map<String, String> text = new LinkedHashMap<>(filter.asText());
        if (to != null) {
            text.put("to", to.toString());
        }
        if (perSecond != null) {
            text.put("perSecond", perSecond.toString());
        }
        return text;
    }

    /** Returns the same request as a change. */
    BulkRequest withoutDryRun() {
        return new BulkRequest(queue, action, filter, to, perSecond, false);
    }
}
