// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.transaction;

import com.github.kagkarlsson.scheduler.SchedulerClient;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import io.delayqueue.benchmarks.server.Place;
import io.delayqueue.benchmarks.subject.Task;
import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;

/** db-scheduler's client, in the user's transaction; the tasks stay in the database, where nothing looks for them. */
final class DbSchedulerSubject implements TransactionSubject {

    private static final OneTimeTask<String> TASK =
            Tasks.oneTime("order", String.class).execute((instance, context) -> {});

    private final OrdersApplication application;
    private final SchedulerClient client;

    DbSchedulerSubject(Place place) {
        this.application = new OrdersApplication(place, List.of("delayqueue.jdbc.enabled=false"));
        boolean postgres = place.orders().jdbcUrl().startsWith("jdbc:postgresql");
        String bytes = postgres ? "BYTEA" : "BLOB";
        String time = postgres ? "TIMESTAMP WITH TIME ZONE" : "TIMESTAMP(6) NULL";
        application
                .jdbc()
                .execute("CREATE TABLE scheduled_tasks (task_name VARCHAR(100) NOT NULL, task_instance"
                        + " VARCHAR(100) NOT NULL, task_data " + bytes + ", execution_time " + time
                        + ", picked BOOLEAN NOT NULL,"
                        + " picked_by VARCHAR(50), last_success " + time + ", last_failure " + time
                        + ", consecutive_failures"
                        + " INT, last_heartbeat " + time + ", version BIGINT NOT NULL, priority SMALLINT,"
                        + " PRIMARY KEY (task_name, task_instance))");
        for (String column : List.of("execution_time", "last_heartbeat")) {
            application.jdbc().execute("CREATE INDEX " + column + "_idx ON scheduled_tasks (" + column + ")");
        }
        this.client = SchedulerClient.Builder.create(
                        new TransactionAwareDataSourceProxy(application.bean(DataSource.class)), TASK)
                .build();
    }

    @Override
    public void transaction(List<Task> tasks) {
        application.transaction(
                tasks,
                all -> all.forEach(task -> client.scheduleIfNotExists(
                        TASK.instance(task.id(), task.payload()), Instant.ofEpochMilli(task.dueAt()))));
    }

    @Override
    public long arrived() {
        Long rows = application.jdbc().queryForObject("SELECT COUNT(*) FROM scheduled_tasks", Long.class);
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
