// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc.autoconfigure;

import io.delayqueue.autoconfigure.DelayQueueAutoConfiguration;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.jdbc.Unobserved;
import io.delayqueue.internal.jdbc.WritableTransaction;
import io.delayqueue.internal.jdbc.inbox.InboxCleanup;
import io.delayqueue.internal.jdbc.inbox.InboxTable;
import io.delayqueue.internal.jdbc.inbox.JdbcInbox;
import io.delayqueue.internal.jdbc.schema.SchemaCheck;
import io.delayqueue.internal.jdbc.schema.TableNames;
import io.delayqueue.internal.jdbc.schema.TableScripts;
import io.delayqueue.jdbc.DelayQueueDataSource;
import io.delayqueue.jdbc.DelayQueueInbox;
import io.micrometer.observation.ObservationPredicate;
import java.time.Clock;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.sql.init.dependency.DatabaseInitializationDependencyConfigurer;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.context.annotation.Lazy;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Auto-configuration of the inbox for applications with a {@code DataSource}, and of the outbox for applications that
 * also have delay queues. When the application first requests one of these beans, the tables are created or checked,
 * after Flyway, Liquibase and scripts have run. An application that uses neither needs no tables.
 */
@AutoConfiguration(after = {DataSourceAutoConfiguration.class, DelayQueueAutoConfiguration.class})
@ConditionalOnClass(DataSource.class)
@ConditionalOnBean(DataSource.class)
@ConditionalOnBooleanProperty(
        name = {"delayqueue.enabled", "delayqueue.jdbc.enabled"},
        matchIfMissing = true)
@EnableConfigurationProperties(DelayQueueJdbcProperties.class)
@ImportRuntimeHints(SchemaScriptsHints.class)
@Import({DatabaseInitializationDependencyConfigurer.class, OutboxConfiguration.class})
public final class DelayQueueJdbcAutoConfiguration {

    /**
     * Creates the timer if there is none from the starter, because the application defines its own template or has no
     * queues.
     */
    @Bean
    @ConditionalOnMissingBean
    static Scheduler delayQueueScheduler() {
        return new Scheduler();
    }

    @Bean
    TableNames delayQueueTableNames(DelayQueueJdbcProperties properties) {
        return JdbcSettings.tables(properties);
    }

    @Bean
    ChosenDataSource delayQueueChosenDataSource(
            ObjectProvider<DataSource> all, @DelayQueueDataSource ObjectProvider<DataSource> marked) {
        return ChosenDataSource.of(all, marked);
    }

    /**
     * Creates the check when the application first uses the outbox or the inbox. Until then, the library does not
     * access the database.
     */
    @Bean
    @Lazy
    @DependsOnDatabaseInitialization
    SchemaCheck delayQueueSchemaCheck(ChosenDataSource chosen, TableNames names, DelayQueueJdbcProperties properties) {
        new TableScripts(chosen.dataSource(), properties.initializeSchema(), names).run();
        return new SchemaCheck(chosen.dataSource(), names);
    }

    @Bean
    @Lazy
    InboxTable delayQueueInboxTable(TableNames names, SchemaCheck schema) {
        return new InboxTable(schema.require("inbox", 1), names.inbox());
    }

    @Bean
    @Lazy
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    DelayQueueInbox delayQueueInbox(ChosenDataSource chosen, InboxTable table, ObjectProvider<InboxCleanup> cleanup) {
        cleanup.ifAvailable(InboxCleanup::start);
        return new JdbcInbox(
                new JdbcTemplate(chosen.dataSource()),
                new WritableTransaction(chosen.dataSource()),
                table,
                Clock.systemUTC());
    }

    /** Keeps the library's own statements out of traces and meters of an instrumented {@code DataSource}. */
    @Bean
    static ObservationPredicate delayQueueUnobservedStatements() {
        return (name, context) -> !Unobserved.isCurrent();
    }

    @Bean
    InboxCleanup.Options delayQueueInboxCleanupOptions(DelayQueueJdbcProperties properties) {
        return JdbcSettings.cleanup(properties.inbox());
    }

    @Bean
    @Lazy
    @ConditionalOnBooleanProperty(name = "delayqueue.jdbc.inbox.cleanup", matchIfMissing = true)
    InboxCleanup delayQueueInboxCleanup(
            ChosenDataSource chosen, InboxTable table, InboxCleanup.Options options, Scheduler scheduler) {
        return new InboxCleanup(chosen.dataSource(), table, options, Clock.systemUTC(), scheduler.worker());
    }
}
