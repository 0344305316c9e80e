// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

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

    /** Checks all conditions except the headers. */
    boolean matches(TaskView task) {
        String lastReason = task.lastReason();
        return task.id().startsWith(filter.idPrefix())
                && (filter.from() == null || !task.nextAttentionAt().isBefore(filter.from()))
                && (filter.until() == null || task.nextAttentionAt().isBefore(filter.until()))
                && (!filter.retrying() || hasFailed(task))
                && (!looksAtReasons() || matchesReason(lastReason == null ? "" : lastReason));
    }

    private static boolean hasFailed(TaskView task) {
        return task.failures() + task.leaseExpiries() > 0 || task.lastReason() != null;
    }

    private boolean matchesReason(String lastReason) {
        if (!filter.reasonKind().isEmpty()) {
            return ReasonKinds.of(lastReason).equals(filter.reasonKind());
        }
        return filter.exactReason() ? lastReason.equals(filter.reason()) : lastReason.contains(filter.reason());
    }

    boolean matches(Map<String, String> headers) {
        return filter.headerValue().equals(headers.get(filter.header()));
    }
}
