// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.schema;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import javax.sql.DataSource;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.boot.sql.init.DatabaseInitializationSettings;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.retry.RetryException;
import org.springframework.core.retry.RetryPolicy;
import org.springframework.core.retry.RetryTemplate;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.jdbc.datasource.init.ScriptException;
import org.springframework.util.ClassUtils;

/**
 * Creates the tables at start, as other parts of Spring Boot create theirs, with the prefix that was chosen. Processes that start
 * together run the script at the same time, and PostgreSQL fails all but one of them in spite of {@code IF NOT EXISTS}. So a
 * script that failed runs again, and finds what the other process has created.
 */
public class TableScripts extends DataSourceScriptDatabaseInitializer {

    private static final RetryPolicy AGAIN = RetryPolicy.builder()
            .includes(ScriptException.class)
            .maxRetries(4)
            .delay(Duration.ofMillis(100))
            .jitter(Duration.ofMillis(100))
            .build();

    /** Applications without its driver are not asked for a connection. */
    private static final boolean MAY_BE_H2 = ClassUtils.isPresent("org.h2.Driver", TableScripts.class.getClassLoader());

    private final DatabaseInitializationMode mode;
    private final TableNames names;

    public TableScripts(DataSource dataSource, DatabaseInitializationMode mode, TableNames names) {
        super(dataSource, new DatabaseInitializationSettings());
        this.mode = mode;
        this.names = names;
    }

    /**
     * Creates the tables if the mode asks for it. Skips embedded databases that cannot have them, because the application may not use
     * the outbox.
     *
     * @throws io.delayqueue.internal.autoconfigure.failure.InvalidDelayQueueSetupException if the database
     *     cannot have them; it is left as it was
     */
    @Override
    public boolean initializeDatabase() {
        DataSource dataSource = getDataSource();
        boolean creates = switch (mode) {
            case ALWAYS -> true;
            case EMBEDDED -> MAY_BE_H2 && isEmbeddedDatabase() && Database.isSupported(dataSource);
            case NEVER -> false;
        };
        if (creates) {
            ResourceDatabasePopulator script = new ResourceDatabasePopulator(withPrefix(Database.of(dataSource)));
            try {
                new RetryTemplate(AGAIN).execute(() -> {
                    script.execute(dataSource);
                    return true;
                });
            } catch (RetryException ex) {
                throw (ex.getCause() instanceof RuntimeException cause) ? cause : new IllegalStateException(ex);
            }
        }
        return creates;
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
