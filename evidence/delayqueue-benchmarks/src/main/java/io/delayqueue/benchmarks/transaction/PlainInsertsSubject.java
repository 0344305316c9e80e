// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.transaction;

import io.delayqueue.benchmarks.server.Place;
import io.delayqueue.benchmarks.subject.Task;
import java.util.List;

/** The orders alone: nothing is scheduled. */
final class PlainInsertsSubject implements TransactionSubject {

    private final OrdersApplication application;

    PlainInsertsSubject(Place place) {
        this.application = new OrdersApplication(place, List.of("delayqueue.jdbc.enabled=false"));
    }

    @Override
    public void transaction(List<Task> tasks) {
        application.transaction(tasks, all -> {});
    }

    @Override
    public long arrived() {
        Long rows = application.jdbc().queryForObject("SELECT COUNT(*) FROM orders", Long.class);
        return rows == null ? 0 : rows;
    }

    @Override
    public long statements() {
        return application.statements();
    }

    @Override
    public void close() {
        application.close();
    }
}
