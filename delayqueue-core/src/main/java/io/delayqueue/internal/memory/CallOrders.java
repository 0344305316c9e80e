// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.memory;

import java.util.HashMap;
import java.util.Map;

/**
 * The orders that one call gives. It knows those that it gave to tasks which wait for the end of a delivery first, and which
 * nobody finds in their millisecond until then.
 */
final class CallOrders {

    private final TaskTable tasks;
    private final Map<Long, Long> given = new HashMap<>();

    CallOrders(TaskTable tasks) {
        this.tasks = tasks;
    }

    /** The order of a task that is scheduled now: behind all that were scheduled for the same millisecond before. */
    long next(String id, long moment) {
        Long before = given.get(moment);
        long order = before == null ? tasks.nextOrder(id, moment) : tasks.orderBehind(before, moment);
        given.put(moment, order);
        return order;
    }
}
