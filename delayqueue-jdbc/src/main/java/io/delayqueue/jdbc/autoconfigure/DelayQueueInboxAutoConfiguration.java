// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc.autoconfigure;

import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.jdbc.WritableTransaction;
import io.delayqueue.internal.jdbc.inbox.InboxCleanup;
import io.delayqueue.internal.jdbc.inbox.InboxTable;
import io.delayqueue.internal.jdbc.inbox.JdbcInbox;
import io.delayqueue.internal.jdbc.schema.SchemaCheck;
import io.delayqueue.internal.jdbc.schema.TableNames;
import io.delayqueue.jdbc.DelayQueueInbox;
import java.time.Clock;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;

/** Auto-configuration of the inbox, which drops duplicates in the consumer's transaction, where there is an outbox. */
@AutoConfiguration(after = DelayQueueJdbcAutoConfiguration.class)
@ConditionalOnBean(ChosenDataSource.class)
@EnableConfigurationProperties(DelayQueueInboxProperties.class)
public final class DelayQueueInboxAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    DelayQueueInbox delayQueueInbox(ChosenDataSource chosen, TableNames names, SchemaCheck schema) {
        schema.require("inbox", 1);
        JdbcTemplate jdbc = new JdbcTemplate(chosen.dataSource());
        return new JdbcInbox(
                jdbc,
                new WritableTransaction(chosen.dataSource()),
                new InboxTable(jdbc, names.inbox()),
                Clock.systemUTC());
    }

    @Bean
    @ConditionalOnBooleanProperty(name = "delayqueue.jdbc.inbox.cleanup", matchIfMissing = true)
    InboxCleanup delayQueueInboxCleanup(
            ChosenDataSource chosen,
            TableNames names,
            SchemaCheck schema,
            DelayQueueInboxProperties properties,
            Scheduler scheduler) {
        schema.require("inbox", 1);
        JdbcTemplate jdbc = new JdbcTemplate(chosen.dataSource());
        return new InboxCleanup(
                chosen.dataSource(),
                new InboxTable(jdbc, names.inbox()),
                properties.cleanupOptions(),
                Clock.systemUTC(),
                scheduler);
    }
}
