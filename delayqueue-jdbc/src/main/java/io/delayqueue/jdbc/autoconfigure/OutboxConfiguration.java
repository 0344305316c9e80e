// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc.autoconfigure;

import io.delayqueue.internal.autoconfigure.settings.DelayQueueProperties;
import io.delayqueue.internal.client.DelayQueueTemplate;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.jdbc.WritableTransaction;
import io.delayqueue.internal.jdbc.outbox.Callers;
import io.delayqueue.internal.jdbc.outbox.JdbcOutbox;
import io.delayqueue.internal.jdbc.outbox.OutboxCheck;
import io.delayqueue.internal.jdbc.outbox.OutboxErasure;
import io.delayqueue.internal.jdbc.outbox.OutboxTable;
import io.delayqueue.internal.jdbc.outbox.OutboxTransactions;
import io.delayqueue.internal.jdbc.outbox.OutboxWriter;
import io.delayqueue.internal.jdbc.outbox.RejectedTable;
import io.delayqueue.internal.jdbc.relay.OutboxRelay;
import io.delayqueue.internal.jdbc.relay.OutboxStart;
import io.delayqueue.internal.jdbc.relay.PendingRows;
import io.delayqueue.internal.jdbc.relay.RelaySettings;
import io.delayqueue.internal.jdbc.schema.Database;
import io.delayqueue.internal.jdbc.schema.SchemaCheck;
import io.delayqueue.internal.jdbc.schema.TableNames;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.store.QueueClock;
import io.delayqueue.internal.transaction.TransactionalOutbox;
import io.delayqueue.jdbc.DelayQueueOutbox;
import io.delayqueue.jdbc.OutboxListener;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;

/** The outbox. Beans that read its tables are created when the application requests them. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBean(DelayQueueTemplate.class)
@EnableConfigurationProperties(DelayQueueProperties.class)
@Import({OutboxHealthConfiguration.class, OutboxMetersConfiguration.class})
class OutboxConfiguration {

    @Bean
    OutboxStart delayQueueOutboxStart(Scheduler scheduler, RelaySettings settings) {
        return new OutboxStart(scheduler.worker(), settings);
    }

    @Bean
    RelaySettings delayQueueRelaySettings(DelayQueueJdbcProperties properties, DelayQueueProperties delayQueue) {
        return JdbcSettings.relay(properties.relay(), delayQueue.redis());
    }

    @Bean
    @Lazy
    OutboxParts delayQueueOutboxParts(
            ChosenDataSource chosen,
            TableNames names,
            SchemaCheck schema,
            RelaySettings settings,
            ObjectProvider<DelayQueueTemplate> template,
            ObjectProvider<OutboxListener> listeners,
            Scheduler scheduler,
            OutboxStart start) {
        DataSource dataSource = chosen.dataSource();
        Database database = schema.require("outbox", 1);
        OutboxTable table = new OutboxTable(dataSource, database, names);
        Callers callers = new Callers(settings.lease().multipliedBy(4), scheduler);
        OutboxRelay relay = new OutboxRelay(
                table,
                new RejectedTable(dataSource, names),
                OutboxTransactions.of(dataSource, database),
                () -> template.getObject().changes(),
                callers,
                listeners.orderedStream().toList(),
                settings);
        start.use(table, relay);
        return new OutboxParts(database, table, callers, relay);
    }

    @Bean
    @Lazy
    TransactionalOutbox delayQueueOutboxWriter(
            ChosenDataSource chosen, OutboxParts parts, RelaySettings settings, ObjectProvider<QueueClock> clock) {
        return new OutboxWriter(
                new WritableTransaction(chosen.dataSource()),
                parts.table(),
                parts.callers(),
                settings.lease(),
                parts.relay(),
                clock.getIfUnique(() -> QueueClock.SERVERS)::now);
    }

    @Bean
    PendingRows delayQueuePendingRows(
            OutboxStart start, ChosenDataSource chosen, TableNames names, Scheduler scheduler) {
        return new PendingRows(start, new OutboxErasure(chosen.dataSource(), names), scheduler.worker());
    }

    @Bean
    OutboxCheck delayQueueOutboxCheck(
            ObjectProvider<OutboxParts> parts, QueueCatalog queues, DelayQueueJdbcProperties properties) {
        if (!properties.checkBeforeDelivery().isEmpty()) {
            parts.getObject();
        }
        return new OutboxCheck(() -> parts.getObject().table(), JdbcSettings.checkedQueues(properties, queues));
    }

    @Bean
    @Lazy
    @ConditionalOnMissingBean(value = DelayQueueOutbox.class, search = SearchStrategy.CURRENT)
    JdbcOutbox delayQueueOutbox(ChosenDataSource chosen, TableNames names, OutboxParts parts, Scheduler scheduler) {
        return new JdbcOutbox(chosen.dataSource(), parts.database(), names, scheduler.worker());
    }
}
