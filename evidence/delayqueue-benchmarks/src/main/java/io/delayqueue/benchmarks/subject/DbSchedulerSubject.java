// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.subject;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.task.SchedulableInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariDataSource;
import io.delayqueue.benchmarks.server.DbSchedulerTable;
import io.delayqueue.benchmarks.server.Place;
import io.delayqueue.test.server.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * db-scheduler on PostgreSQL with lock-and-fetch, the faster of its two polling strategies. Has the threads and limits
 * that its documentation uses for machines with two cores. All queues are in one table. Polls ten times a second; the
 * default is every ten seconds.
 */
final class DbSchedulerSubject implements Subject {

    private static final int THREADS = 20;
    private static final double FETCH_WHEN_FEWER_A_THREAD = 4;
    private static final double MOST_A_THREAD = 20;
    private static final Duration POLLING_INTERVAL = Duration.ofMillis(100);

    private final HikariDataSource database = new HikariDataSource();
    private final JdbcTemplate jdbc = new JdbcTemplate(database);
    private final OneTimeTask<String> task;
    private final Scheduler scheduler;

    DbSchedulerSubject(Place place, Need need) {
        TestDatabase given = place.orders();
        database.setJdbcUrl(given.jdbcUrl());
        database.setUsername(given.user());
        database.setPassword(given.password());
        database.setMaximumPoolSize(THREADS + 10);
        // The driver combines a batch into one INSERT of many rows, as PostgreSQL recommends.
        database.addDataSourceProperty("reWriteBatchedInserts", "true");
        DbSchedulerTable.create(jdbc, true);
        Sink sink = need.sink();
        this.task = Tasks.oneTime("task", String.class).execute((instance, context) -> {
            if (sink != null) {
                sink.arrived(instance.getData());
            }
        });
        this.scheduler = Scheduler.create(database, task)
                .threads(THREADS)
                .pollUsingLockAndFetch(FETCH_WHEN_FEWER_A_THREAD, MOST_A_THREAD)
                .pollingInterval(POLLING_INTERVAL)
                .shutdownMaxWait(Duration.ofSeconds(5))
                .build();
        if (sink != null) {
            scheduler.start();
        }
    }

    @Override
    public void schedule(Task one) {
        if (!scheduler.scheduleIfNotExists(instance(one))) {
            throw new IllegalStateException("Task " + one.id() + " existed already");
        }
    }

    @Override
    public void scheduleAll(List<Task> tasks) {
        List<SchedulableInstance<?>> instances = new ArrayList<>(tasks.size());
        tasks.forEach(one -> instances.add(instance(one)));
        scheduler.scheduleBatch(instances);
    }

    private SchedulableInstance<String> instance(Task one) {
        return SchedulableInstance.of(task.instance(one.id(), one.payload()), Instant.ofEpochMilli(one.dueAt()));
    }

    @Override
    public boolean cancel(Task one) {
        scheduler.cancel(task.instance(one.id()));
        return true;
    }

    @Override
    public long pending() {
        return DbSchedulerTable.count(jdbc);
    }

    @Override
    public void close() {
        scheduler.stop();
        database.close();
    }
}
