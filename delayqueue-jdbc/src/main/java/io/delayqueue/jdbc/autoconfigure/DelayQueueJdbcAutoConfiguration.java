// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc.autoconfigure;

import io.delayqueue.autoconfigure.DelayQueueAutoConfiguration;
import io.delayqueue.autoconfigure.DelayQueueProperties;
import io.delayqueue.client.DelayQueueTemplate;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.jdbc.WritableTransaction;
import io.delayqueue.internal.jdbc.outbox.Callers;
import io.delayqueue.internal.jdbc.outbox.JdbcOutbox;
import io.delayqueue.internal.jdbc.outbox.OutboxCheck;
import io.delayqueue.internal.jdbc.outbox.OutboxDialect;
import io.delayqueue.internal.jdbc.outbox.OutboxTable;
import io.delayqueue.internal.jdbc.outbox.OutboxWriter;
import io.delayqueue.internal.jdbc.outbox.RejectedTable;
import io.delayqueue.internal.jdbc.relay.OutboxRelay;
import io.delayqueue.internal.jdbc.relay.PendingRows;
import io.delayqueue.internal.jdbc.relay.RelaySettings;
import io.delayqueue.internal.jdbc.schema.Databases;
import io.delayqueue.internal.jdbc.schema.SchemaCheck;
import io.delayqueue.internal.jdbc.schema.TableNames;
import io.delayqueue.internal.jdbc.schema.TableScripts;
import io.delayqueue.internal.store.QueueClock;
import io.delayqueue.internal.transaction.TaskChanges;
import io.delayqueue.internal.transaction.TransactionalOutbox;
import io.delayqueue.jdbc.DelayQueueDataSource;
import io.delayqueue.jdbc.DelayQueueOutbox;
import io.delayqueue.jdbc.OutboxListener;
import io.delayqueue.jdbc.TransactionalDelayQueueOperations;
import io.delayqueue.jdbc.TransactionalDelayQueueTemplate;
import io.delayqueue.queue.QueueCatalog;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.sql.init.dependency.DatabaseInitializationDependencyConfigurer;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;

/**
 * Auto-configuration of the outbox, in applications that have a {@code DataSource} and delay queues. Its tables are
 * looked for after Flyway, Liquibase and scripts have run.
 */
@AutoConfiguration(after = {DataSourceAutoConfiguration.class, DelayQueueAutoConfiguration.class})
@ConditionalOnClass(DataSource.class)
@ConditionalOnBean({DataSource.class, DelayQueueTemplate.class})
@ConditionalOnBooleanProperty(
        name = {"delayqueue.enabled", "delayqueue.jdbc.enabled"},
        matchIfMissing = true)
@EnableConfigurationProperties({DelayQueueProperties.class, DelayQueueJdbcProperties.class})
@ImportRuntimeHints(SchemaScriptsHints.class)
@Import({
    DatabaseInitializationDependencyConfigurer.class,
    OutboxHealthConfiguration.class,
    OutboxMetersConfiguration.class
})
public final class DelayQueueJdbcAutoConfiguration {

    /** The scheduler of an application that has a template of its own and not the starter's beans. */
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

    @Bean
    TableScripts delayQueueTableScripts(
            ChosenDataSource chosen, TableNames names, DelayQueueJdbcProperties properties) {
        return new TableScripts(chosen.dataSource(), properties.initializeSchema(), names);
    }

    @Bean
    @DependsOnDatabaseInitialization
    SchemaCheck delayQueueSchemaCheck(ChosenDataSource chosen, TableNames names) {
        return new SchemaCheck(chosen.dataSource(), names);
    }

    @Bean
    OutboxParts delayQueueOutboxParts(
            ChosenDataSource chosen,
            TableNames names,
            SchemaCheck schema,
            DelayQueueJdbcProperties properties,
            DelayQueueProperties delayQueue) {
        RelaySettings settings = JdbcSettings.relay(properties.relay(), delayQueue.redis());
        OutboxDialect dialect = OutboxDialect.of(Databases.of(chosen.dataSource()));
        schema.require("outbox", 1);
        OutboxTable table = new OutboxTable(chosen.dataSource(), dialect, names);
        return new OutboxParts(dialect, table, new Callers(settings.lease().multipliedBy(4)), settings);
    }

    @Bean
    OutboxRelay delayQueueOutboxRelay(
            ChosenDataSource chosen,
            TableNames names,
            OutboxParts parts,
            ObjectProvider<DelayQueueTemplate> template,
            ObjectProvider<OutboxListener> listeners,
            DelayQueueJdbcProperties properties) {
        return new OutboxRelay(
                chosen.dataSource(),
                new OutboxRelay.Tables(parts.table(), new RejectedTable(chosen.dataSource(), names)),
                changes(template),
                parts.callers(),
                listeners.orderedStream().toList(),
                parts.settings(),
                properties.relay().enabled());
    }

    @Bean
    OutboxWriter delayQueueOutboxWriter(
            ChosenDataSource chosen, OutboxParts parts, OutboxRelay relay, ObjectProvider<QueueClock> clock) {
        QueueClock dueBy = clock.getIfUnique(() -> QueueClock.SERVERS);
        return new OutboxWriter(
                new WritableTransaction(chosen.dataSource()),
                parts.table(),
                parts.callers(),
                parts.settings().lease(),
                relay,
                dueBy::now);
    }

    @Bean
    PendingRows delayQueuePendingRows(OutboxParts parts, OutboxRelay relay) {
        return new PendingRows(parts.table(), relay);
    }

    @Bean
    OutboxCheck delayQueueOutboxCheck(OutboxParts parts, QueueCatalog queues, DelayQueueJdbcProperties properties) {
        return new OutboxCheck(parts.table(), JdbcSettings.checkedQueues(properties, queues));
    }

    @Bean
    @ConditionalOnMissingBean(TransactionalDelayQueueOperations.class)
    TransactionalDelayQueueTemplate transactionalDelayQueueTemplate(
            TransactionalOutbox outbox,
            ObjectProvider<DelayQueueTemplate> template,
            DelayQueueJdbcProperties properties) {
        return new TransactionalDelayQueueTemplate(outbox, changes(template), properties.outsideTransaction());
    }

    @Bean
    @ConditionalOnMissingBean(DelayQueueOutbox.class)
    JdbcOutbox delayQueueOutbox(ChosenDataSource chosen, TableNames names, OutboxParts parts) {
        return new JdbcOutbox(chosen.dataSource(), parts.dialect(), names);
    }

    private static Supplier<TaskChanges> changes(ObjectProvider<DelayQueueTemplate> template) {
        return () -> template.getObject().changes();
    }
}
