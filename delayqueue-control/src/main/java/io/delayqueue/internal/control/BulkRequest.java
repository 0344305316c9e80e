// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import io.delayqueue.Due;
import io.delayqueue.control.BulkAction;
import io.delayqueue.control.TaskFilter;
import io.delayqueue.internal.admin.PacedDueTimes;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request to change all tasks that match a filter.
 *
 * @param to the new due time, for {@link BulkAction#RESCHEDULE} without {@code by}; otherwise null
 * @param over period after {@code to} over which the new due times are spread; null or zero to use {@code to} for all
 * @param by the shift of the due times, for {@link BulkAction#RESCHEDULE} without {@code to}; negative for earlier;
 *     otherwise null
 * @param perSecond maximum number of tasks that become due per second, 1 to 1,000,000, for
 *     {@linkplain BulkAction#isPaced rate-limited} actions; otherwise null
 * @param dryRun whether to count the tasks instead of changing them
 */
public record BulkRequest(
        String queue,
        BulkAction action,
        TaskFilter filter,
        @Nullable Instant to,
        @Nullable Duration over,
        @Nullable Duration by,
        @Nullable Integer perSecond,
        boolean dryRun) {

    private static final Duration SHORTEST_SHIFT = Duration.ofSeconds(1);
    private static final Duration LONGEST_SHIFT = Duration.ofDays(3_652_500);

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
                                    ? " takes the due times from 'to' and 'over'"
                                    : " makes no task due"));
        }
        boolean moves = action == BulkAction.RESCHEDULE;
        if (moves == (to == null && by == null) || (to != null && by != null)) {
            throw new IllegalArgumentException("A reschedule needs either 'to' (the new due time) or 'by' (the shift "
                    + "of the due times). Other actions accept neither");
        }
        if (by != null && (by.compareTo(LONGEST_SHIFT) > 0 || by.compareTo(LONGEST_SHIFT.negated()) < 0)) {
            throw new IllegalArgumentException("'by' must be at most " + LONGEST_SHIFT + ", but is " + by);
        }
        if (by != null && by.abs().compareTo(SHORTEST_SHIFT) < 0) {
            throw new IllegalArgumentException("'by' must be at least a second, but is " + by);
        }
        if (over != null && (to == null || over.isNegative())) {
            throw new IllegalArgumentException(
                    "'over' (the period over which the due times are spread) needs 'to' and must not be negative");
        }
        if (action == BulkAction.ERASE && !selectsByPrefix(filter)) {
            throw new IllegalArgumentException("An erasure selects tasks only by key, group or id prefix, because the "
                    + "outbox and the history do not record other conditions. Leave them out");
        }
        if (to != null) {
            // Rounds to milliseconds as stored, so that tasks that already have this due time are recognized.
            to = Instant.ofEpochMilli(Due.at(to).millis());
            Due.at(over == null ? to : DueShift.later(to, over));
        }
    }

    /** Creates a request for an action other than a reschedule. */
    public BulkRequest(
            String queue, BulkAction action, TaskFilter filter, @Nullable Integer perSecond, boolean dryRun) {
        this(queue, action, filter, null, null, null, perSecond, dryRun);
    }

    /** Returns whether the filter has no condition but an id prefix, a key or a group. */
    private static boolean selectsByPrefix(TaskFilter filter) {
        return filter.equals(new TaskFilter(filter.idPrefix(), null, null, "", false, "", "", "", false));
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
        if (over != null) {
            text.put("over", over.toString());
        }
        if (by != null) {
            text.put("by", by.toString());
        }
        if (perSecond != null) {
            text.put("perSecond", perSecond.toString());
        }
        return text;
    }

    BulkRequest withoutDryRun() {
        return new BulkRequest(queue, action, filter, to, over, by, perSecond, false);
    }
}
