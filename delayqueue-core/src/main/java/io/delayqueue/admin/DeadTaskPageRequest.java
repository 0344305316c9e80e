// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.admin;

import org.jspecify.annotations.Nullable;

/**
 * Asks for a page of dead tasks. Begin with {@link #first}, go on with {@link DeadTaskPage#next()}. Pages follow the
 * tasks and not a count, so those that are redriven or discarded meanwhile shift nothing out of sight; one that died in
 * the same millisecond as such a task may be shown again.
 *
 * @param size tasks at most, 1 to 500
 * @param withContent whether headers and payload are read too
 * @param after where the page before ended; null for the first
 */
public record DeadTaskPageRequest(
        int size, boolean withContent, @Nullable TaskPosition after) {

    public DeadTaskPageRequest {
        if (size < 1 || size > 500) {
            throw new IllegalArgumentException("A page holds 1 to 500 dead tasks, but " + size + " were asked for");
        }
    }

    /** The first page, without content. */
    public static DeadTaskPageRequest first(int size) {
        return new DeadTaskPageRequest(size, false, null);
    }

    /** The same with headers and payloads. */
    public DeadTaskPageRequest includingContent() {
        return new DeadTaskPageRequest(size, true, after);
    }

    /** The same, behind this place. */
    public DeadTaskPageRequest after(TaskPosition position) {
        return new DeadTaskPageRequest(size, withContent, position);
    }
}
