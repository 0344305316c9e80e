// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.ScheduleRequest;
import io.delayqueue.client.DelayQueueTemplate;
import io.delayqueue.jdbc.autoconfigure.DelayQueueJdbcAutoConfiguration;
import io.delayqueue.queue.QueueCatalog;
import io.delayqueue.queue.QueueSettings;
import io.delayqueue.test.memory.InMemoryDelayQueues;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
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
import org.springframework.context.annotation.Configuration;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The outbox in transactions of JPA's transaction manager, with database and queues in memory. */
class JpaOutboxTests {

    private final InMemoryDelayQueues queues = new InMemoryDelayQueues(QueueSettings.withDefaults("orders"));

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataSourceAutoConfiguration.class,
                    HibernateJpaAutoConfiguration.class,
                    DelayQueueJdbcAutoConfiguration.class))
            .withUserConfiguration(Entities.class)
            .withBean(DelayQueueTemplate.class, queues::template)
            .withBean(QueueCatalog.class, () -> new QueueCatalog(List.of(QueueSettings.withDefaults("orders"))))
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
    @EntityScan(basePackageClasses = JpaOutboxTests.class)
    static class Entities {}

    @AfterEach
    void close() {
        queues.close();
    }

    @Test
    void callsWhenTheTransactionIsJpasAreDecidedWithItsEntities() {
        runner.run(context -> {
            assertThat(context.getBean(PlatformTransactionManager.class)).isInstanceOf(JpaTransactionManager.class);
            TransactionalDelayQueueOperations outbox = context.getBean(TransactionalDelayQueueOperations.class);
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

    private static void inTransaction(AssertableApplicationContext context, Consumer<EntityManager> work) {
        EntityManager entities =
                SharedEntityManagerCreator.createSharedEntityManager(context.getBean(EntityManagerFactory.class));
        new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                .executeWithoutResult(status -> work.accept(entities));
    }

    private static ScheduleRequest request(String id) {
        return ScheduleRequest.to("orders")
                .id(id)
                .payload("x")
                .delay(Duration.ofHours(1))
                .build();
    }
}
