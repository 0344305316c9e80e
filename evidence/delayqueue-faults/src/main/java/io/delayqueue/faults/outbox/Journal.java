// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.outbox;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * A table of the committed changes. Each transaction writes its outbox calls here after making them. It draws the
 * number while it locks the row of the id, so that the numbers of an id are in the order of its commits.
 */
final class Journal {

    static final String POSTGRES_TABLE = """
            CREATE TABLE journal (number BIGSERIAL PRIMARY KEY, round INT NOT NULL, task_id VARCHAR(100) NOT NULL,
              verb VARCHAR(20) NOT NULL, version VARCHAR(100), due BIGINT)""";
    static final String MARIADB_TABLE = """
            CREATE TABLE journal (number BIGINT AUTO_INCREMENT PRIMARY KEY, round INT NOT NULL,
              task_id VARCHAR(100) NOT NULL, verb VARCHAR(20) NOT NULL, version VARCHAR(100), due BIGINT)""";

    private static final String INSERT =
            "INSERT INTO journal (round, task_id, verb, version, due) VALUES (?, ?, ?, ?, ?)";
    private static final String SELECT =
            "SELECT task_id, verb, version, due FROM journal WHERE round = ? ORDER BY number";

    private Journal() {}

    /** Records a change within its transaction. */
    static void note(JdbcTemplate jdbc, int round, Change change) {
        jdbc.update(INSERT, round, change.id(), change.verb().name(), change.version(), change.due());
    }

    /** Returns the ids of a round with the committed changes of each, in the order of the commits. */
    static Map<String, List<Change>> committed(JdbcTemplate jdbc, int round) {
        List<Change> changes = jdbc.query(
                SELECT,
                (row, number) -> new Change(
                        row.getString(1),
                        Change.Verb.valueOf(row.getString(2)),
                        row.getString(3),
                        row.getObject(4, Long.class)),
                round);
        Map<String, List<Change>> byId = new LinkedHashMap<>();
        for (Change change : changes) {
            byId.computeIfAbsent(change.id(), any -> new ArrayList<>()).add(change);
        }
        return byId;
    }

    /** Returns the task that must be stored after these changes of one id; null for none. */
    static @Nullable Task expected(List<Change> changes) {
        Task task = null;
        for (Change change : changes) {
            task = change.appliedTo(task);
        }
        return task;
    }

    /** A stored task: its version, and its due time in milliseconds since 1970. */
    record Task(String version, long due) {}

    /** One change that a transaction requests. */
    record Change(
            String id,
            Verb verb,
            @Nullable String version,
            @Nullable Long due) {

        enum Verb {
            SCHEDULE,
            CANCEL,
            RESCHEDULE
        }

        @Nullable
        Task appliedTo(@Nullable Task before) {
            return switch (verb) {
                case SCHEDULE -> new Task(String.valueOf(version), due == null ? 0 : due);
                case CANCEL -> null;
                case RESCHEDULE -> before == null ? null : new Task(before.version(), due == null ? 0 : due);
            };
        }
    }
}
