// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.control;

import io.delayqueue.Due;
import io.delayqueue.internal.admin.PacedDueTimes;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Asks for something to be done with all tasks that a filter names.
 *
 * @param queue their queue
 * @param action what to do
 * @param filter which of them
 * @param to the new due time, for {@link BulkAction#RESCHEDULE}; null for the others
 * @param perSecond how many become due in a second at most, 1 to 1,000,000, for {@linkplain BulkAction#isPaced paced} actions; null
 *     for the others
 * @param dryRun whether they are only counted
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
                throw new IllegalArgumentException("Give 'perSecond', how many tasks become due in a second at most: "
                        + action.asText() + " makes them due one after the other");
            }
        } else if (action.isPaced()) {
            PacedDueTimes.require(perSecond);
        } else {
            throw new IllegalArgumentException(
                    "Leave 'perSecond' out: it says how many tasks become due in a second, and "
                            + action.asText()
                            + (action == BulkAction.RESCHEDULE ? " makes all due at one moment" : " makes none due"));
        }
        if ((action == BulkAction.RESCHEDULE) != (to != null)) {
            throw new IllegalArgumentException("The new due time, 'to', is said for a reschedule and for nothing else");
        }
        if (to != null) {
            // Whole milliseconds, as stored: a task that has that due time is told by it.
            to = Instant.ofEpochMilli(Due.at(to).millis());
        }
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

    /** The same request, which changes the tasks instead of counting them. */
    BulkRequest withoutDryRun() {
        return new BulkRequest(queue, action, filter, to, perSecond, false);
    }
}
