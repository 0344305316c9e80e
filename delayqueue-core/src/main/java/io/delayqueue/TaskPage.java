// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A part of a longer list of tasks, with the position where the next part starts, like Spring Data's {@code Window}.
 *
 * @param content its tasks; may be empty although more follow
 * @param position opaque text with which to request the next part; null at the end
 */
public record TaskPage<T>(List<T> content, @Nullable String position) {

    public TaskPage {
        content = List.copyOf(content);
    }

    /** Returns whether more tasks may follow. */
    public boolean hasNext() {
        return position != null;
    }
}
