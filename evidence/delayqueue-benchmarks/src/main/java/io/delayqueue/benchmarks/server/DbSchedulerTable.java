// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.server;

import java.util.List;
import org.springframework.jdbc.core.JdbcTemplate;

/** The table of db-scheduler's tasks, with its two usual indexes. */
public final class DbSchedulerTable {

    private DbSchedulerTable() {}

    /** Creates the table in a database without it. */
    public static void create(JdbcTemplate jdbc, boolean postgres) {
        String bytes = postgres ? "BYTEA" : "BLOB";
        String time = postgres ? "TIMESTAMP WITH TIME ZONE" : "TIMESTAMP(6) NULL";
        jdbc.execute("CREATE TABLE scheduled_tasks (task_name VARCHAR(100) NOT NULL, task_instance"
                + " VARCHAR(100) NOT NULL, task_data " + bytes + ", execution_time " + time
                + ", picked BOOLEAN NOT NULL,"
                + " picked_by VARCHAR(50), last_success " + time + ", last_failure " + time
                + ", consecutive_failures"
                + " INT, last_heartbeat " + time + ", version BIGINT NOT NULL, priority SMALLINT,"
                + " PRIMARY KEY (task_name, task_instance))");
        for (String column : List.of("execution_time", "last_heartbeat")) {
            jdbc.execute("CREATE INDEX " + column + "_idx ON scheduled_tasks (" + column + ")");
        }
    }

    /** Returns the number of tasks in it. */
    public static long count(JdbcTemplate jdbc) {
        Long rows = jdbc.queryForObject("SELECT COUNT(*) FROM scheduled_tasks", Long.class);
        return rows == null ? 0 : rows;
    }
}
