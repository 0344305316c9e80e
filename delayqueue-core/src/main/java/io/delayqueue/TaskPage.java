// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of a longer list of tasks, with the position of the next page. Similar to Spring Data's {@code Window}.
 *
 * @param content its tasks; can be empty even if more follow
 * @param position opaque position to request the next page; null at the end
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
