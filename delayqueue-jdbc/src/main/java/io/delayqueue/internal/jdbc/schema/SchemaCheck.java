// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.schema;

import io.delayqueue.internal.autoconfigure.failure.InvalidDelayQueueSetupException;
import io.delayqueue.internal.jdbc.WritableTransaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.UncategorizedDataAccessException;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.support.JdbcUtils;

/** Checks that the tables exist in the version that this library requires. */
public record SchemaCheck(DataSource dataSource, TableNames names) {

    /** SQL states of the databases for a table or schema that does not exist. */
    private static final Set<String> NO_TABLE = Set.of("42P01", "3F000", "42S02", "42S03", "42S04");

    /** PostgreSQL's SQL state for a missing right. */
    private static final String NO_RIGHT = "42501";

    /** Error codes of MySQL and MariaDB for a missing right on a table or database. */
    private static final Set<Integer> NO_RIGHT_CODES = Set.of(1142, 1044);

    /**
     * Checks the tables of a component.
     *
     * @param component owner of the tables, such as {@code outbox}
     * @param version required version
     * @return the database of the tables
     * @throws MissingTablesException if they are missing
     * @throws InvalidDelayQueueSetupException if they have another version, or if the database is not supported
     */
    public Database require(String component, int version) {
        Database database = Database.of(dataSource);
        List<Integer> found;
        try {
            found = versions(component);
        } catch (BadSqlGrammarException ex) {
            SQLException error = ex.getSQLException();
            if (error == null || !NO_TABLE.contains(String.valueOf(error.getSQLState()))) {
                throw new InvalidDelayQueueSetupException(
                        "The table " + names.schemaVersion() + " could not be read: "
                                + ex.getMostSpecificCause().getMessage() + ".",
                        isMissingRight(error, database)
                                ? "Grant the database user SELECT, INSERT, UPDATE and DELETE on the tables of"
                                        + " delayqueue-jdbc."
                                : "Check the table. If another program has created it, choose another prefix with"
                                        + " delayqueue.jdbc.table-prefix.");
            }
            throw missing("There is no table " + names.schemaVersion() + ".", database);
        }
        if (found.isEmpty()) {
            throw missing(
                    "The table " + names.schemaVersion() + " lists no tables of the " + component + ".", database);
        }
        if (found.get(0) != version) {
            throw new InvalidDelayQueueSetupException(
                    "The tables of the " + component + " have version " + found.get(0) + " ("
                            + names.schemaVersion() + "), but this version of delayqueue-jdbc requires version "
                            + version
                            + ".",
                    "Run the migration scripts from the release notes, or use the library version that "
                            + "created the tables.");
        }
        return database;
    }

    private static boolean isMissingRight(@Nullable SQLException error, Database database) {
        return error != null
                && (NO_RIGHT.equals(error.getSQLState())
                        || (database == Database.MYSQL && NO_RIGHT_CODES.contains(error.getErrorCode())));
    }

    /**
     * Reads the versions outside the caller's transaction, because MySQL and MariaDB refuse to read tables that are
     * newer than the transaction's snapshot.
     */
    private List<Integer> versions(String component) {
        try {
            return versions(new JdbcTemplate(dataSource), component);
        } catch (UncategorizedDataAccessException ex) {
            Connection own = connection();
            try {
                return versions(new JdbcTemplate(new SingleConnectionDataSource(own, true)), component);
            } finally {
                JdbcUtils.closeConnection(own);
            }
        }
    }

    private List<Integer> versions(JdbcTemplate jdbc, String component) {
        return jdbc.queryForList(
                "SELECT version FROM " + names.schemaVersion() + " WHERE component = ?", Integer.class, component);
    }

    private Connection connection() {
        try {
            return WritableTransaction.boundAs(dataSource).getConnection();
        } catch (SQLException ex) {
            throw new DataAccessResourceFailureException("The tables of delayqueue-jdbc could not be read", ex);
        }
    }

    private MissingTablesException missing(String what, Database database) {
        return new MissingTablesException(
                what,
                "Run " + database.script() + " of delayqueue-jdbc's jar"
                        + (names.prefix().equals(TableNames.DEFAULT_PREFIX)
                                ? ""
                                : ", with " + names.prefix() + " replacing " + TableNames.DEFAULT_PREFIX)
                        + ", for example with Flyway or Liquibase, or set "
                        + "delayqueue.jdbc.initialize-schema to always.");
    }
}
