// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.schema;

import io.delayqueue.jdbc.SchemaVersionException;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.boot.jdbc.DatabaseDriver;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.core.JdbcTemplate;

/** Looks at start whether the tables are there, in the version that this one of the library works with. */
public final class SchemaCheck {

    private final DataSource dataSource;
    private final TableNames names;

    public SchemaCheck(DataSource dataSource, TableNames names) {
        this.dataSource = dataSource;
        this.names = names;
    }

    /**
     * @param component whose tables are looked for, such as {@code outbox}
     * @param version that they must have
     * @throws SchemaVersionException if they have another one, or are missing
     */
    public void require(String component, int version) {
        DatabaseDriver database = Databases.of(dataSource);
        List<Integer> found;
        try {
            found = new JdbcTemplate(dataSource)
                    .queryForList(
                            "SELECT version FROM " + names.schemaVersion() + " WHERE component = ?",
                            Integer.class,
                            component);
        } catch (BadSqlGrammarException ex) {
            throw new SchemaVersionException(
                    "There is no table " + names.schemaVersion() + ". " + remedy(database), ex);
        }
        if (found.isEmpty()) {
            throw new SchemaVersionException(
                    "The table " + names.schemaVersion() + " knows of no tables of the " + component + ". "
                            + remedy(database),
                    null);
        }
        if (found.get(0) != version) {
            throw new SchemaVersionException(
                    "The tables of the " + component + " have the version " + found.get(0) + " ("
                            + names.schemaVersion()
                            + "), but this version of delayqueue-jdbc works with " + version
                            + ". Run the scripts of the release notes, or use the version of the library that made them",
                    null);
        }
    }

    private String remedy(DatabaseDriver database) {
        return "Run " + TableScripts.LOCATION.formatted(database.getId()) + " of delayqueue-jdbc's jar"
                + (names.prefix().equals(TableNames.DEFAULT_PREFIX)
                        ? ""
                        : ", with " + names.prefix() + " in the place of " + TableNames.DEFAULT_PREFIX)
                + ", such as by Flyway or Liquibase, or set delayqueue.jdbc.initialize-schema to always";
    }
}
