// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import io.delayqueue.ListedTask;
import io.delayqueue.TaskContent;
import io.delayqueue.control.TaskFilter;
import java.util.Map;

/** Decides which tasks match a filter. */
record FilterMatch(TaskFilter filter) {

    boolean readsHeaders() {
        return !filter.header().isEmpty();
    }

    boolean looksAtReasons() {
        return filter.exactReason()
                || !filter.reason().isEmpty()
                || !filter.reasonKind().isEmpty();
    }

    /**
     * Returns whether a task matches. If the filter has a condition on a header, only tasks that were read with their
     * contents match.
     */
    boolean matches(ListedTask task) {
        return task.id().startsWith(filter.idPrefix())
                && (filter.from() == null || !task.nextAttentionAt().isBefore(filter.from()))
                && (filter.until() == null || task.nextAttentionAt().isBefore(filter.until()))
                && (!filter.retrying() || hasFailed(task))
                && (!looksAtReasons() || matchesReason(task.lastReason().orElse("")))
                && (!readsHeaders() || filter.headerValue().equals(headers(task).get(filter.header())));
    }

    private static boolean hasFailed(ListedTask task) {
        return task.failures() + task.leaseExpiries() > 0;
    }

    private boolean matchesReason(String lastReason) {
        if (!filter.reasonKind().isEmpty()) {
            return ReasonKinds.of(lastReason).equals(filter.reasonKind());
        }
        return filter.exactReason() ? lastReason.equals(filter.reason()) : lastReason.contains(filter.reason());
    }

    static Map<String, String> headers(ListedTask task) {
        return task.content().map(TaskContent::headers).orElse(Map.of());
    }
}
