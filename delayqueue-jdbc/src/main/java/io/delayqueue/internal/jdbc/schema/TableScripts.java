// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.schema;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.boot.sql.init.DatabaseInitializationSettings;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.Resource;
import org.springframework.core.retry.RetryException;
import org.springframework.core.retry.RetryPolicy;
import org.springframework.core.retry.RetryTemplate;
import org.springframework.jdbc.datasource.init.ScriptException;

/**
 * Makes the tables, as other parts of Spring Boot make theirs, under the names that were chosen. Processes that start
 * together make them at the same time, from which {@code IF NOT EXISTS} does not protect PostgreSQL: it fails all but one
 * of them. So what has failed is run again, as scripts may be, and finds what the other one has made.
 */
public class TableScripts extends DataSourceScriptDatabaseInitializer {

    /** Of all databases. */
    public static final String LOCATION = "io/delayqueue/jdbc/schema-%s.sql";

    private static final RetryPolicy AGAIN = RetryPolicy.builder()
            .includes(ScriptException.class)
            .maxRetries(4)
            .delay(Duration.ofMillis(100))
            .jitter(Duration.ofMillis(100))
            .build();

    private final TableNames names;

    public TableScripts(DataSource dataSource, DatabaseInitializationMode mode, TableNames names) {
        super(dataSource, settings(dataSource, mode));
        this.names = names;
    }

    private static DatabaseInitializationSettings settings(DataSource dataSource, DatabaseInitializationMode mode) {
        DatabaseInitializationSettings settings = new DatabaseInitializationSettings();
        settings.setMode(mode);
        if (mode != DatabaseInitializationMode.NEVER) {
            settings.setSchemaLocations(List.of(
                    "classpath:" + LOCATION.formatted(Databases.of(dataSource).getId())));
        }
        return settings;
    }

    @Override
    protected void runScripts(Scripts scripts) {
        List<Resource> renamed = new ArrayList<>();
        for (Resource script : scripts) {
            renamed.add(renamed(script));
        }
        Scripts all = new Scripts(renamed)
                .continueOnError(scripts.isContinueOnError())
                .separator(scripts.getSeparator())
                .encoding(StandardCharsets.UTF_8);
        try {
            new RetryTemplate(AGAIN).execute(() -> {
                super.runScripts(all);
                return all;
            });
        } catch (RetryException ex) {
            throw (ex.getCause() instanceof RuntimeException cause) ? cause : new IllegalStateException(ex);
        }
    }

    private Resource renamed(Resource script) {
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
