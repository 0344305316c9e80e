// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.server;

import io.delayqueue.test.server.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes a database do the maintenance that is due after many writes, so that the maintenance does not disturb later
 * measurements. If the user lacks the required permissions, the maintenance is left to the database.
 */
public final class DatabaseUpkeep {

    private DatabaseUpkeep() {}

    /** Writes changed pages to the data files, and updates the statistics of the tables. */
    public static void now(TestDatabase database) {
        try (Connection connection = database.connect()) {
            boolean postgres = database.jdbcUrl().startsWith("jdbc:postgresql");
            for (String statement : postgres ? List.of("CHECKPOINT", "ANALYZE") : ofMariaDb(connection)) {
                execute(connection, statement);
            }
        } catch (SQLException ex) {
            throw new IllegalStateException("The database does not answer", ex);
        }
    }

    private static List<String> ofMariaDb(Connection connection) throws SQLException {
        List<String> statements = new ArrayList<>(List.of("SET GLOBAL innodb_log_checkpoint_now = ON"));
        try (Statement statement = connection.createStatement();
                ResultSet tables = statement.executeQuery(
                        "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE()")) {
            while (tables.next()) {
                statements.add("ANALYZE TABLE `" + tables.getString(1) + "`");
            }
        }
        return statements;
    }

    private static void execute(Connection connection, String sql) {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException ex) {
            // This line in the log of the run explains disturbed measurements.
            System.out.println("Skipped, the database does it later: " + sql + ": " + ex.getMessage());
        }
    }
}
