// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.transaction;

import io.delayqueue.benchmarks.server.Place;
import io.delayqueue.benchmarks.subject.Task;
import java.util.List;

/** The orders, and a row for each task in a table with only a primary key, which is never read. */
final class TwoInsertsSubject implements TransactionSubject {

    private final OrdersApplication application;

    TwoInsertsSubject(Place place) {
        this.application = new OrdersApplication(place, List.of("delayqueue.jdbc.enabled=false"));
        application
                .jdbc()
                .execute("CREATE TABLE tasks (id VARCHAR(100) PRIMARY KEY, due_at BIGINT NOT NULL, payload VARCHAR(300)"
                        + " NOT NULL)");
    }

    @Override
    public void transaction(List<Task> tasks) {
        application.transaction(
                tasks,
                all -> all.forEach(task -> application
                        .jdbc()
                        .update(
                                "INSERT INTO tasks (id, due_at, payload) VALUES (?, ?, ?)",
                                task.id(),
                                task.dueAt(),
                                task.payload())));
    }

    @Override
    public long arrived() {
        Long rows = application.jdbc().queryForObject("SELECT COUNT(*) FROM tasks", Long.class);
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
