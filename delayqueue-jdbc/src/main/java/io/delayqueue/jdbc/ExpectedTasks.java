// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import io.delayqueue.ScheduleRequest;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tasks that the application's database expects in a queue, for example a task for each open order, due at its
 * deadline. Each is a request with an id and an absolute due time, which is used to schedule the task if it is missing.
 */
public interface ExpectedTasks {

    /**
     * Reads a page of all expected tasks in a stable order, such as that of a primary key.
     *
     * @param after the last id of the previous page, or null for the first page
     * @param limit maximum number of tasks
     * @return an empty list at the end
     */
    List<? extends ScheduleRequest<?>> page(@Nullable String after, int limit);

    /**
     * Reads the expected tasks among the given ids. Called inside and outside transactions. Must read committed data,
     * not a cache.
     *
     * @param ids task ids, some of which the application may not know
     * @return in any order; omit tasks that should not exist
     */
    List<? extends ScheduleRequest<?>> find(Collection<String> ids);
}
