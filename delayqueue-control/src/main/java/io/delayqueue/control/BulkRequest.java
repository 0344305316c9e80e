// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.control;

import io.delayqueue.DueTime;
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
 * @param perSecond how many are changed in a second at most, 1 to 10,000
 * @param dryRun whether they are only counted
 */
public record BulkRequest(
        String queue,
        BulkAction action,
        TaskFilter filter,
        @Nullable Instant to,
        int perSecond,
        boolean dryRun) {

    private static final int FASTEST = 10_000;

    public BulkRequest {
        if (perSecond < 1 || perSecond > FASTEST) {
            throw new IllegalArgumentException(
                    "An operation changes 1 to " + FASTEST + " tasks a second, but " + perSecond + " were asked for");
        }
        if ((action == BulkAction.RESCHEDULE) != (to != null)) {
            throw new IllegalArgumentException("The new due time, 'to', is said for a reschedule and for nothing else");
        }
        if (to != null) {
            // Whole milliseconds, as stored: a task that has that due time is told by it.
            to = Instant.ofEpochMilli(DueTime.at(to).millis());
        }
    }

    Map<String, String> asText() {
        Map<String, String> text = new LinkedHashMap<>(filter.asText());
        if (to != null) {
            text.put("to", to.toString());
        }
        text.put("perSecond", String.valueOf(perSecond));
        return text;
    }
}
