// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.internal.client.DelayQueueTemplate;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.QueueSettingsBuilder;
import io.delayqueue.jdbc.autoconfigure.DelayQueueJdbcAutoConfiguration;
import io.delayqueue.trigger.TestQueues;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityListeners;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.PostPersist;
import jakarta.persistence.PostRemove;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The outbox within listeners of JPA's entities, which Hibernate calls while it writes them: mostly during the commit.
 * The database is in memory, the queues are in Redis.
 */
class JpaListenerIntegrationTests {

    private final TestQueues queues = new TestQueues(QueueSettingsBuilder.withDefaults("orders"));

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataSourceAutoConfiguration.class,
                    HibernateJpaAutoConfiguration.class,
                    DelayQueueJdbcAutoConfiguration.class))
            .withUserConfiguration(Entities.class)
            .withBean(DelayQueueTemplate.class, queues::template)
            .withBean(QueueCatalog.class, () -> new QueueCatalog(List.of(QueueSettingsBuilder.withDefaults("orders"))))
            .withPropertyValues("spring.datasource.generate-unique-name=true", "spring.jpa.hibernate.ddl-auto=create");

    @Entity(name = "ticket")
    @EntityListeners(Timers.class)
    static class Ticket {

        @Id
        String id;

        Ticket() {}

        Ticket(String id) {
            this.id = id;
        }
    }

    static class Timers {

        private final ApplicationContext context;

        Timers(ApplicationContext context) {
            this.context = context;
        }

        @PostPersist
        void persisted(Ticket ticket) {
            TestOutbox.of(context).schedule(requestTo("orders", ticket.id, "x", Duration.ofHours(1)));
        }

        @PostRemove
        void removed(Ticket ticket) {
            TestOutbox.of(context).cancel("orders", ticket.id);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EntityScan(basePackageClasses = JpaListenerIntegrationTests.class)
    static class Entities {}

    @AfterEach
    void close() {
        queues.close();
    }

    @Test
    void callsOfAnEntitysListenerAreDecidedWithTheEntity() {
        runner.run(context -> {
            inTransaction(context, false, entities -> entities.persist(new Ticket("kept")));
            inTransaction(context, true, entities -> {
                entities.persist(new Ticket("lost"));
                entities.flush();
            });
            inTransaction(context, false, entities -> entities.persist(new Ticket("removed")));
            inTransaction(context, false, entities -> entities.remove(entities.find(Ticket.class, "removed")));
            inTransaction(context, false, entities -> entities.persist(new Ticket("last")));

            awaitStored("kept");
            awaitStored("last");
            await().untilAsserted(() ->
                    assertThat(queues.template().find("orders", "removed")).isEmpty());
            assertThat(queues.template().find("orders", "lost")).isEmpty();
        });
    }

    private void awaitStored(String id) {
        await().untilAsserted(
                        () -> assertThat(queues.template().find("orders", id)).isPresent());
    }

    private static void inTransaction(
            AssertableApplicationContext context, boolean rolledBack, Consumer<EntityManager> work) {
        EntityManager entities =
                SharedEntityManagerCreator.createSharedEntityManager(context.getBean(EntityManagerFactory.class));
        new TransactionTemplate(context.getBean(PlatformTransactionManager.class)).executeWithoutResult(status -> {
            work.accept(entities);
            if (rolledBack) {
                status.setRollbackOnly();
            }
        });
    }
}
