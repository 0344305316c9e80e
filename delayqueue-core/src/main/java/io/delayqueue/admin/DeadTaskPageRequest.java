// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.admin;

import org.jspecify.annotations.Nullable;

/**
 * A request for a page of dead tasks. Start with {@link #first} and continue with {@link DeadTaskPage#next()}. Pages
 * follow the tasks, not an offset, so redriven or discarded tasks do not hide others. A task that died in the same
 * millisecond as such a task may be returned again.
 *
 * @param size maximum number of tasks, 1 to 500
 * @param withContent whether to read headers and payloads
 * @param after end of the previous page; null for the first page
 */
public record DeadTaskPageRequest(
        int size, boolean withContent, @Nullable TaskPosition after) {

    public DeadTaskPageRequest {
        if (size < 1 || size > 500) {
            throw new IllegalArgumentException("A page holds 1 to 500 dead tasks, but the requested size is " + size);
        }
    }

    /** Returns a request for the first page, without contents. */
    public static DeadTaskPageRequest first(int size) {
        return new DeadTaskPageRequest(size, false, null);
    }

    /** Returns this request with headers and payloads. */
    public DeadTaskPageRequest includingContent() {
        return new DeadTaskPageRequest(size, true, after);
    }

    /** Returns this request, starting after a position. */
    public DeadTaskPageRequest after(TaskPosition position) {
        return new DeadTaskPageRequest(size, withContent, position);
    }
}
