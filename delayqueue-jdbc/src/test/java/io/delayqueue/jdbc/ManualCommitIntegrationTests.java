// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.TransactionMismatchException;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.internal.client.DelayQueueTemplate;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.QueueSettingsBuilder;
import io.delayqueue.jdbc.autoconfigure.DelayQueueJdbcAutoConfiguration;
import io.delayqueue.trigger.TestQueues;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Uses a pool whose connections do not commit automatically and roll back when they are closed: changes outside a
 * transaction of this DataSource are lost there.
 */
class ManualCommitIntegrationTests {

    private static final ReceivedTask TASK = new ReceivedTask("orders", "0123456789abcdefABCD-_");

    private final TestQueues queues = new TestQueues(QueueSettingsBuilder.withDefaults("orders"));

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataSourceAutoConfiguration.class,
                    DataSourceTransactionManagerAutoConfiguration.class,
                    DelayQueueJdbcAutoConfiguration.class))
            .withBean(DelayQueueTemplate.class, queues::template)
            .withBean(DelayQueueAdmin.class, queues::admin)
            .withBean(QueueCatalog.class, () -> new QueueCatalog(List.of(QueueSettingsBuilder.withDefaults("orders"))))
            .withPropertyValues(
                    "spring.datasource.generate-unique-name=true", "spring.datasource.hikari.auto-commit=false");

    @AfterEach
    void close() {
        queues.close();
    }

    @Test
    void callsWhenTheTransactionIsNoneOfAnyDatabaseAreRefused() {
        runner.run(context -> {
            DelayQueueOperations outbox = TestOutbox.of(context);
            DelayQueueInbox inbox = context.getBean(DelayQueueInbox.class);
            new TransactionTemplate(new BrokersTransactions()).executeWithoutResult(status -> {
                refused(() -> outbox.schedule(requestTo("orders", "x", Duration.ofHours(1))));
                refused(() -> inbox.accept(TASK));
                // binds a connection to the thread, and has begun no transaction on it
                assertThat(rows(context, "delayqueue_outbox")).isZero();
                refused(() -> outbox.schedule(requestTo("orders", "x", Duration.ofHours(1))));
                refused(() -> inbox.accept(TASK));
            });
        });
    }

    private static void refused(Runnable call) {
        assertThatExceptionOfType(TransactionMismatchException.class)
                .isThrownBy(call::run)
                .withMessageContaining("Use the JdbcTransactionManager or JpaTransactionManager");
    }

    @Test
    void callsWhenTheTransactionIsTheDataSourcesWithinABrokersAreMade() {
        runner.run(context -> {
            TransactionTemplate transaction = transaction(context);
            context.getBean(DelayQueueOutbox.class); // makes the tables
            String id = new TransactionTemplate(new BrokersTransactions()).execute(brokers -> {
                assertThat(rows(context, "delayqueue_outbox")).isZero();
                return transaction.execute(status -> {
                    assertThat(context.getBean(DelayQueueInbox.class).accept(TASK))
                            .isTrue();
                    return TestOutbox.of(context)
                            .schedule(requestTo("orders", "x", Duration.ofHours(1)))
                            .id();
                });
            });

            await().untilAsserted(() ->
                    assertThat(queues.template().find("orders", id)).isPresent());
            await().untilAsserted(
                            () -> assertThat(rows(context, "delayqueue_outbox")).isZero());
            assertThat(rows(context, "delayqueue_inbox")).isOne();
        });
    }

    @Test
    void deleteWhenItAnswersThatSomethingWasThereHasDeletedIt() {
        runner.run(context -> {
            DelayQueueOutbox outbox = context.getBean(DelayQueueOutbox.class);
            transaction(context)
                    .executeWithoutResult(
                            status -> new JdbcTemplate(context.getBean(DataSource.class))
                                    .update(
                                            "INSERT INTO delayqueue_outbox_rejected VALUES ('r', 'orders', 'a', X'00', 'bad', 0)"));
            assertThat(outbox.delete("r")).isTrue();
            assertThat(outbox.rejected(10)).isEmpty();
            assertThat(outbox.delete("r")).isFalse();
        });
    }

    private static TransactionTemplate transaction(ApplicationContext context) {
        return new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
    }

    private static long rows(ApplicationContext context, String table) {
        Long rows = new JdbcTemplate(context.getBean(DataSource.class))
                .queryForObject("SELECT COUNT(*) FROM " + table, Long.class);
        return (rows == null) ? -1 : rows;
    }

    /** As those of Kafka, RabbitMQ, JMS and MongoDB, which know nothing of any DataSource. */
    private static final class BrokersTransactions extends AbstractPlatformTransactionManager {

        @Override
        protected Object doGetTransaction() {
            return new Object();
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {}

        @Override
        protected void doCommit(DefaultTransactionStatus status) {}

        @Override
        protected void doRollback(DefaultTransactionStatus status) {}
    }
}
