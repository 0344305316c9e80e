// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if a call for many tasks could not confirm the result for every task. {@link #lines()} has the outcome of each
 * task.
 *
 * <p>You can repeat the call. With the same {@link ScheduleRequest} objects, tasks that are still stored are not stored
 * again. For a task that was already cancelled, the call returns {@link CancelOutcome#NOT_FOUND}.
 */
public class BatchFailedException extends DelayQueueException {

    private static final long serialVersionUID = 1L;

    private final transient List<Line> lines;

    /** @param lines the result of each task, in the order of the call; at least one has an error */
    public BatchFailedException(String queue, String verb, List<Line> lines) {
        super(message(queue, verb, lines), first(lines).error());
        this.lines = List.copyOf(lines);
    }

    private static String message(String queue, String verb, List<Line> lines) {
        Line first = first(lines);
        DelayQueueException error = first.error();
        return "Queue '" + queue + "', " + verb + ": "
                + lines.stream().filter(Line::isFailed).count() + " of " + lines.size()
                + " tasks failed, the first of them '" + first.id() + "': "
                + (error == null ? "" : error.getMessage());
    }

    private static Line first(List<Line> lines) {
        return lines.stream()
                .filter(Line::isFailed)
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException("A failed batch needs at least one line with an " + "error"));
    }

    /** Returns the outcome of each task, in the order of the call; null after serialization. */
    public List<Line> lines() {
        return lines;
    }

    /** Returns the lines that have an error. */
    public List<Line> failed() {
        return lines.stream().filter(Line::isFailed).toList();
    }

    /**
     * The outcome of one task.
     *
     * @param id the full id of the task
     * @param outcome a {@link ScheduleOutcome}, {@link CancelOutcome} or {@link RescheduleOutcome}; null if the task
     *     may not have been changed
     * @param error the failure for this task; null if there is none. With a {@link TaskNotReplicatedException} there is
     *     also an outcome, because the call has taken effect.
     */
    public record Line(
            String id, @Nullable Enum<?> outcome, @Nullable DelayQueueException error) {

        /** Returns whether the call failed for this task. */
        public boolean isFailed() {
            return error != null;
        }
    }
}
