// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import io.delayqueue.ScheduleRequest;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What should be in a queue, as the application's database says: such as a task for each open order, due when its time
 * is up. Each task is a request with an id and a point in time as its due time, from which it could be scheduled.
 */
public interface ExpectedTasks {

    /**
     * Reads a page of all tasks that should be there, in an order of the application's that does not change, such as
     * that of a primary key.
     *
     * @param after the id of the last task of the page before; null for the first page
     * @param limit tasks at most
     * @return empty at the end
     */
    List<? extends ScheduleRequest<?>> page(@Nullable String after, int limit);

    /**
     * Reads those of some tasks that should be there now. Called within and without transactions; must read what is committed, and
     * no cache.
     *
     * @param ids of tasks; some of them may be of nothing that the application knows
     * @return in any order, without those that should not be there
     */
    List<? extends ScheduleRequest<?>> find(Collection<String> ids);
}
