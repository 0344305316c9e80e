// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.schema;

import io.delayqueue.internal.jdbc.WritableTransaction;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.springframework.boot.jdbc.EmbeddedDatabaseConnection;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.retry.RetryException;
import org.springframework.core.retry.RetryPolicy;
import org.springframework.core.retry.RetryTemplate;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.jdbc.datasource.init.ScriptException;
import org.springframework.util.ClassUtils;

/**
 * Creates the tables with the configured prefix. If a script fails, runs it once more: if several processes run it at
 * the same time on PostgreSQL, it fails in all but one, in spite of {@code IF NOT EXISTS}.
 */
public record TableScripts(DataSource dataSource, DatabaseInitializationMode mode, TableNames names) {

    /** The scripts add each of these to the table of versions after its tables. */
    private static final List<String> COMPONENTS = List.of("outbox", "inbox");

    private static final RetryPolicy AGAIN = RetryPolicy.builder()
            .includes(ScriptException.class)
            .maxRetries(4)
            .delay(Duration.ofMillis(100))
            .jitter(Duration.ofMillis(100))
            .build();

    /** Whether H2's driver is present. If not, the check needs no connection. */
    private static final boolean MAY_BE_H2 = ClassUtils.isPresent("org.h2.Driver", TableScripts.class.getClassLoader());

    public TableScripts {
        dataSource = WritableTransaction.boundAs(dataSource);
    }

    /**
     * Creates the tables if the mode requires it. Uses a separate connection, because MySQL and H2 would commit the
     * caller's transaction.
     *
     * @return whether the tables exist now
     * @throws io.delayqueue.internal.autoconfigure.failure.InvalidDelayQueueSetupException if the database is not
     *     supported; nothing was changed
     */
    public boolean run() {
        boolean creates = switch (mode) {
            case ALWAYS -> true;
            case EMBEDDED ->
                MAY_BE_H2 && EmbeddedDatabaseConnection.isEmbedded(dataSource) && Database.isSupported(dataSource);
            case NEVER -> false;
        };
        if (creates) {
            ResourceDatabasePopulator script = new ResourceDatabasePopulator(withPrefix(Database.of(dataSource)));
            try {
                new RetryTemplate(AGAIN).execute(() -> {
                    populate(script);
                    return true;
                });
            } catch (RetryException ex) {
                throw (ex.getCause() instanceof RuntimeException cause) ? cause : new IllegalStateException(ex);
            }
        }
        return creates;
    }

    private void populate(ResourceDatabasePopulator script) {
        try (Connection connection = dataSource.getConnection()) {
            if (exist(connection)) {
                return;
            }
            script.populate(connection);
            if (!connection.getAutoCommit()) {
                connection.commit();
            }
        } catch (SQLException ex) {
            throw new DataAccessResourceFailureException("The tables of delayqueue-jdbc could not be created", ex);
        }
    }

    /**
     * Returns whether the script has created all tables. It must not run again: on PostgreSQL, {@code CREATE INDEX IF NOT
     * EXISTS} waits for all transactions that have written to the table, and blocks later ones.
     */
    private boolean exist(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet components = statement.executeQuery("SELECT component FROM " + names.schemaVersion())) {
            Set<String> found = new HashSet<>();
            while (components.next()) {
                found.add(components.getString(1));
            }
            return found.containsAll(COMPONENTS);
        } catch (SQLException ex) {
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
            return false;
        }
    }

    private ByteArrayResource withPrefix(Database database) {
        ClassPathResource script = new ClassPathResource(database.script(), TableScripts.class.getClassLoader());
        try {
            String text = script.getContentAsString(StandardCharsets.UTF_8);
            byte[] bytes =
                    text.replace(TableNames.DEFAULT_PREFIX, names.prefix()).getBytes(StandardCharsets.UTF_8);
            return new ByteArrayResource(bytes, script.getDescription());
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }
}
