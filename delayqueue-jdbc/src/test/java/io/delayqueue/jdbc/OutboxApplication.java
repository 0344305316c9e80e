// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import static org.awaitility.Awaitility.await;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.TransactionMode;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.annotation.TaskHeaders;
import io.delayqueue.autoconfigure.DelayQueueAutoConfiguration;
import io.delayqueue.control.BulkOperations;
import io.delayqueue.internal.store.PendingChanges;
import io.delayqueue.jdbc.autoconfigure.DelayQueueJdbcAutoConfiguration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** An application with an outbox, a handler and a table. Every connection that it gets is a new one. */
final class OutboxApplication implements AutoCloseable {

    private final ConfigurableApplicationContext context;

    OutboxApplication(DataSource dataSource, String redisUri, String keyPrefix, String... properties) {
        List<String> all = new ArrayList<>(List.of(
                "spring.main.banner-mode=off",
                "spring.data.redis.url=" + redisUri,
                "delayqueue.key-prefix=" + keyPrefix,
                "delayqueue.redis.command-timeout=250ms",
                "delayqueue.queues.orders.shards=1",
                "delayqueue.jdbc.initialize-schema=always",
                "delayqueue.jdbc.relay.lease=1s",
                "delayqueue.jdbc.relay.poll-interval=50ms",
                "delayqueue.jdbc.relay.longest-pause=250ms"));
        all.addAll(List.of(properties));
        this.context = new SpringApplicationBuilder(Setup.class)
                .web(WebApplicationType.NONE)
                .initializers(made -> made.getBeanFactory().registerSingleton("dataSource", dataSource))
                .properties(all.toArray(String[]::new))
                .run();
        outbox(); // which is in use from then on
    }

    DelayQueueOperations outbox() {
        return tasks().inTransaction(TransactionMode.OUTBOX);
    }

    BulkOperations bulk() {
        return context.getBean(BulkOperations.class);
    }

    PendingChanges pending() {
        return context.getBean(PendingChanges.class);
    }

    DelayQueueOutbox care() {
        return context.getBean(DelayQueueOutbox.class);
    }

    DelayQueueOperations tasks() {
        return context.getBean(DelayQueueOperations.class);
    }

    JdbcTemplate jdbc() {
        return new JdbcTemplate(context.getBean(DataSource.class));
    }

    TransactionTemplate transactions() {
        return new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
    }

    TransactionTemplate transactions(int propagation) {
        TransactionTemplate transactions = transactions();
        transactions.setPropagationBehavior(propagation);
        return transactions;
    }

    TransactionTemplate nested() {
        return transactions(TransactionDefinition.PROPAGATION_NESTED);
    }

    Heard heard() {
        return context.getBean(Heard.class);
    }

    /** Returns the number of rows of tasks that have not reached Redis. */
    int rows() {
        Integer rows = jdbc().queryForObject("SELECT COUNT(*) FROM delayqueue_outbox", Integer.class);
        return rows == null ? 0 : rows;
    }

    /** Clears the records and deletes the tasks. */
    void forget() {
        // a first call may take longer than calls may here
        await().ignoreExceptions()
                .untilAsserted(() -> context.getBean(DelayQueueAdmin.class).purge("orders", "orders"));
        Heard heard = heard();
        heard.delivered.clear();
        heard.sent.clear();
        heard.rejected.clear();
    }

    @Override
    public void close() {
        context.close();
    }

    /** Records deliveries and sent operations. */
    static final class Heard implements OutboxListener {

        final List<String> delivered = new CopyOnWriteArrayList<>();
        final List<SentOperation> sent = new CopyOnWriteArrayList<>();
        final List<RejectedOperation> rejected = new CopyOnWriteArrayList<>();

        /** Runs on the relay's thread, before it is written down what was sent. */
        volatile Runnable whenSent = () -> {};

        @DelayQueueListener(queue = "orders")
        void handle(String payload, @Header(TaskHeaders.ID) String id) {
            delivered.add(id);
        }

        @Override
        public void sent(SentOperation operation) {
            sent.add(operation);
            whenSent.run();
        }

        @Override
        public void rejected(RejectedOperation operation) {
            rejected.add(operation);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({DelayQueueAutoConfiguration.class, DelayQueueJdbcAutoConfiguration.class})
    static class Setup {

        @Bean
        Heard heard() {
            return new Heard();
        }

        @Bean
        JdbcTransactionManager transactionManager(DataSource dataSource) {
            return new JdbcTransactionManager(dataSource);
        }
    }
}
