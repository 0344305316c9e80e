// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.transaction;

import com.github.kagkarlsson.scheduler.SchedulerClient;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import io.delayqueue.benchmarks.server.DbSchedulerTable;
import io.delayqueue.benchmarks.server.Place;
import io.delayqueue.benchmarks.subject.Task;
import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;

/** db-scheduler's client, in the user's transaction. The tasks stay in the database; no scheduler executes them. */
final class DbSchedulerSubject implements TransactionSubject {

    private static final OneTimeTask<String> TASK =
            Tasks.oneTime("order", String.class).execute((instance, context) -> {});

    private final OrdersApplication application;
    private final SchedulerClient client;

    DbSchedulerSubject(Place place) {
        this.application = new OrdersApplication(place, List.of("delayqueue.jdbc.enabled=false"));
        DbSchedulerTable.create(application.jdbc(), place.orders().jdbcUrl().startsWith("jdbc:postgresql"));
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
        return DbSchedulerTable.count(application.jdbc());
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
