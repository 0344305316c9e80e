// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc.autoconfigure;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.internal.client.DelayQueueTemplate;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.QueueSettingsBuilder;
import io.delayqueue.jdbc.TestOutbox;
import io.delayqueue.trigger.TestQueues;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.liquibase.autoconfigure.LiquibaseAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The script of a database, copied from the jar as the documentation says, and run by what applications migrate with.
 */
abstract class MigrationContract {

    private static final String CHANGE_LOG = """
            databaseChangeLog:
              - changeSet:
                  id: delayqueue
                  author: orders
                  changes:
                    - sqlFile:
                        path: delayqueue.sql
                        relativeToChangelogFile: true
            """;

    private final TestQueues queues = new TestQueues(QueueSettingsBuilder.withDefaults("orders"));

    @TempDir
    private Path folder;

    /** As the scripts call it. */
    abstract String platform();

    /** The properties of a new database. */
    abstract String[] database(String name);

    @AfterEach
    void close() {
        queues.close();
    }

    @Test
    void outboxWhenFlywayMakesItsTablesStartsAfterIt() throws IOException {
        copyScript("V7__delayqueue.sql");
        runner("flyway")
                .withConfiguration(AutoConfigurations.of(FlywayAutoConfiguration.class))
                .withPropertyValues("spring.flyway.locations=filesystem:" + folder)
                .run(this::sends);
    }

    @Test
    void outboxWhenLiquibaseMakesItsTablesStartsAfterIt() throws IOException {
        copyScript("delayqueue.sql");
        Path changeLog = Files.writeString(folder.resolve("changelog.yaml"), CHANGE_LOG);
        runner("liquibase")
                .withConfiguration(AutoConfigurations.of(LiquibaseAutoConfiguration.class))
                .withPropertyValues("spring.liquibase.change-log=file:" + changeLog)
                .run(this::sends);
    }

    private void copyScript(String name) throws IOException {
        String script = "/io/delayqueue/jdbc/schema-" + platform() + ".sql";
        try (InputStream in = Objects.requireNonNull(MigrationContract.class.getResourceAsStream(script), script)) {
            Files.copy(in, folder.resolve(name));
        }
    }

    private ApplicationContextRunner runner(String name) {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DataSourceAutoConfiguration.class,
                        DataSourceTransactionManagerAutoConfiguration.class,
                        DelayQueueJdbcAutoConfiguration.class))
                .withBean(DelayQueueTemplate.class, queues::template)
                .withBean(
                        QueueCatalog.class,
                        () -> new QueueCatalog(List.of(QueueSettingsBuilder.withDefaults("orders"))))
                .withPropertyValues(database(name))
                .withPropertyValues("delayqueue.jdbc.initialize-schema=never");
    }

    private void sends(AssertableApplicationContext context) {
        assertThat(context).hasNotFailed();
        TransactionTemplate transactions = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
        DelayQueueOperations outbox = TestOutbox.of(context);
        String id = transactions.execute(status ->
                outbox.schedule(requestTo("orders", "x", Duration.ofHours(1))).id());
        await().untilAsserted(() ->
                assertThat(queues.template().find("orders", String.valueOf(id))).isPresent());
    }
}
