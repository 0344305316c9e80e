// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import io.delayqueue.HistoryEntry;
import java.util.List;
import java.util.Map;

/**
 * The current result of a search.
 *
 * @param found tasks that contain the text, at most {@link TaskSearch#MOST_FOUND}
 * @param past the newest history entry of the searched id in each queue that has one
 * @param looked number of tasks that were searched
 * @param total number of tasks to search, counted when the search began
 * @param hasEnded whether the search has ended
 * @param isComplete whether all tasks were searched
 * @param unreadable queues that could not be searched, with the reason
 */
public record SearchView(
        List<Found> found,
        List<Past> past,
        long looked,
        long total,
        boolean hasEnded,
        boolean isComplete,
        Map<String, String> unreadable) {

    /**
     * A task that contains the text.
     *
     * @param where "id", "key", "group" or "header" and the header's name
     */
    public record Found(TaskView task, String where) {}

    /** The last event of a task in the history of a queue. */
    public record Past(String queue, HistoryEntry last) {}
}
