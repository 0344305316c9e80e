// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.internal.client.DelayQueueTemplate;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.QueueSettingsBuilder;
import io.delayqueue.internal.store.PendingChanges;
import io.delayqueue.jdbc.autoconfigure.DelayQueueJdbcAutoConfiguration;
import io.delayqueue.trigger.TestQueues;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** The outbox in transactions of JPA's transaction manager, with the database in memory and queues in Redis. */
class JpaOutboxIntegrationTests {

    private final TestQueues queues = new TestQueues(QueueSettingsBuilder.withDefaults("orders"));

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataSourceAutoConfiguration.class,
                    HibernateJpaAutoConfiguration.class,
                    DelayQueueJdbcAutoConfiguration.class))
            .withUserConfiguration(Entities.class)
            .withBean(DelayQueueTemplate.class, queues::template)
            .withBean(DelayQueueAdmin.class, queues::admin)
            .withBean(QueueCatalog.class, () -> new QueueCatalog(List.of(QueueSettingsBuilder.withDefaults("orders"))))
            .withPropertyValues("spring.datasource.generate-unique-name=true", "spring.jpa.hibernate.ddl-auto=create");

    @Entity(name = "purchase")
    static class Purchase {

        @Id
        String id;

        Purchase() {}

        Purchase(String id) {
            this.id = id;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EntityScan(basePackageClasses = JpaOutboxIntegrationTests.class)
    static class Entities {}

    @AfterEach
    void close() {
        queues.close();
    }

    @Test
    void callsWhenTheTransactionIsJpasAreDecidedWithItsEntities() {
        runner.run(context -> {
            assertThat(context.getBean(PlatformTransactionManager.class)).isInstanceOf(JpaTransactionManager.class);
            DelayQueueOperations outbox = TestOutbox.of(context);
            inTransaction(context, entities -> {
                entities.persist(new Purchase("kept"));
                outbox.schedule(request("kept"));
            });
            try {
                inTransaction(context, entities -> {
                    entities.persist(new Purchase("lost"));
                    outbox.schedule(request("lost"));
                    throw new IllegalStateException("the card was refused");
                });
            } catch (IllegalStateException ex) {
                assertThat(ex).hasMessage("the card was refused");
            }
            inTransaction(context, entities -> outbox.schedule(request("last")));

            await().untilAsserted(() ->
                    assertThat(queues.template().find("orders", "last")).isPresent());
            await().untilAsserted(() ->
                    assertThat(queues.template().find("orders", "kept")).isPresent());
            assertThat(queues.template().find("orders", "lost")).isEmpty();
            inTransaction(
                    context,
                    entities ->
                            assertThat(entities.find(Purchase.class, "lost")).isNull());
        });
    }

    @Test
    void pendingRowsWhenTheCallerIsInATransactionOfJpasAreCountedWithoutCommittingIt() {
        runner.run(context -> {
            PendingChanges outbox = context.getBean(PendingChanges.class);
            TransactionTemplate transaction =
                    new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
            EntityManager entities = entities(context);

            Long pending = transaction.execute(status -> {
                entities.persist(new Purchase("undone"));
                entities.flush();
                TestOutbox.of(context).schedule(request("undone"));
                long count = outbox.count();
                status.setRollbackOnly();
                return count;
            });

            assertThat(pending).isZero();
            inTransaction(
                    context,
                    all -> assertThat(all.find(Purchase.class, "undone")).isNull());
            assertThat(outbox.count()).isZero();
            assertThat(queues.template().find("orders", "undone")).isEmpty();
        });
    }

    @Test
    void rejectedRowsWhenTheCallerIsInATransactionOfJpasAreTreatedWithoutCommittingIt() {
        runner.run(context -> {
            DelayQueueOutbox outbox = context.getBean(DelayQueueOutbox.class);
            TransactionTemplate transaction =
                    new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
            EntityManager entities = entities(context);

            transaction.executeWithoutResult(status -> {
                entities.persist(new Purchase("undone"));
                entities.flush();
                assertThat(outbox.retry("nothing")).isFalse();
                assertThat(outbox.delete("nothing")).isFalse();
                entities.persist(new Purchase("undone-too"));
                entities.flush();
                status.setRollbackOnly();
            });

            inTransaction(context, all -> {
                assertThat(all.find(Purchase.class, "undone")).isNull();
                assertThat(all.find(Purchase.class, "undone-too")).isNull();
            });
        });
    }

    @Test
    void rejectedRowsWhenAConnectionIsBoundWithoutATransactionAreTreated() {
        runner.run(context -> {
            TransactionTemplate supports =
                    new TransactionTemplate(new JdbcTransactionManager(context.getBean(DataSource.class)));
            supports.setPropagationBehavior(TransactionDefinition.PROPAGATION_SUPPORTS);

            Boolean found = supports.execute(status -> {
                new JdbcTemplate(context.getBean(DataSource.class)).queryForObject("SELECT 1", Integer.class);
                return context.getBean(DelayQueueOutbox.class).retry("nothing");
            });

            assertThat(found).isFalse();
        });
    }

    private static EntityManager entities(AssertableApplicationContext context) {
        return SharedEntityManagerCreator.createSharedEntityManager(context.getBean(EntityManagerFactory.class));
    }

    private static void inTransaction(AssertableApplicationContext context, Consumer<EntityManager> work) {
        EntityManager entities = entities(context);
        new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                .executeWithoutResult(status -> work.accept(entities));
    }

    private static ScheduleRequest<?> request(String id) {
        return requestTo("orders", id, "x", Duration.ofHours(1));
    }
}
