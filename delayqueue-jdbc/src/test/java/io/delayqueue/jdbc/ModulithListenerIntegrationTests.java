// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.internal.client.DelayQueueTemplate;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.QueueSettingsBuilder;
import io.delayqueue.jdbc.autoconfigure.DelayQueueJdbcAutoConfiguration;
import io.delayqueue.trigger.TestQueues;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.modulith.events.ApplicationModuleListener;
import org.springframework.modulith.events.config.EventPublicationAutoConfiguration;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.ClassUtils;

/**
 * The outbox and Spring Modulith's event registry in the same database, with queues in Redis. A listener of a module
 * has a separate transaction, after the one that published the event.
 */
class ModulithListenerIntegrationTests {

    private final TestQueues queues = new TestQueues(QueueSettingsBuilder.withDefaults("orders"));

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataSourceAutoConfiguration.class,
                    DataSourceTransactionManagerAutoConfiguration.class,
                    TransactionAutoConfiguration.class,
                    JdbcTemplateAutoConfiguration.class,
                    EventPublicationAutoConfiguration.class,
                    hidden("org.springframework.modulith.events.jdbc.JdbcEventPublicationAutoConfiguration"),
                    hidden("org.springframework.modulith.events.jackson.JacksonEventSerializationConfiguration"),
                    DelayQueueJdbcAutoConfiguration.class))
            .withUserConfiguration(Modules.class)
            .withBean(DelayQueueTemplate.class, queues::template)
            .withBean(QueueCatalog.class, () -> new QueueCatalog(List.of(QueueSettingsBuilder.withDefaults("orders"))))
            .withPropertyValues(
                    "spring.datasource.generate-unique-name=true",
                    "spring.modulith.events.jdbc.schema-initialization.enabled=true");

    private static Class<?> hidden(String name) {
        return ClassUtils.resolveClassName(name, null);
    }

    record Placed(String id) {}

    @Configuration(proxyBeanMethods = false)
    @EnableAsync
    @EnableTransactionManagement(proxyTargetClass = true)
    static class Modules {

        @Bean
        Reminders reminders(ApplicationContext context) {
            return new Reminders(TestOutbox.of(context));
        }
    }

    static class Reminders {

        private final DelayQueueOperations outbox;

        Reminders(DelayQueueOperations outbox) {
            this.outbox = outbox;
        }

        @ApplicationModuleListener
        void on(Placed event) {
            outbox.cancel("orders", event.id());
            outbox.schedule(request("reminder-" + event.id()));
            if (event.id().equals("bad")) {
                throw new IllegalStateException("no address");
            }
        }
    }

    @AfterEach
    void close() {
        queues.close();
    }

    @Test
    void callsOfAListenerFollowThoseOfThePublishingTransaction() {
        runner.run(context -> {
            place(context, "paid", false);

            awaitStored("reminder-paid");
            // Calls for other ids do not wait for each other.
            await().untilAsserted(() ->
                    assertThat(queues.template().find("orders", "paid")).isEmpty());
            await().untilAsserted(() -> assertThat(incomplete(context)).isZero());
        });
    }

    @Test
    void callsOfAListenerThatFailsAreTakenBackAndThePublishingTransactionsAreMade() {
        runner.run(context -> {
            place(context, "bad", false);
            place(context, "last", false);

            awaitStored("bad");
            awaitStored("reminder-last");
            assertThat(queues.template().find("orders", "reminder-bad")).isEmpty();
            await().untilAsserted(() -> assertThat(incomplete(context)).isOne());
        });
    }

    @Test
    void callsWhenThePublishingTransactionRollsBackAreNotMadeAndNobodyListens() {
        runner.run(context -> {
            place(context, "lost", true);
            place(context, "last", false);

            awaitStored("reminder-last");
            assertThat(queues.template().find("orders", "lost")).isEmpty();
            assertThat(queues.template().find("orders", "reminder-lost")).isEmpty();
        });
    }

    private static void place(AssertableApplicationContext context, String id, boolean rolledBack) {
        DelayQueueOperations outbox = TestOutbox.of(context);
        new TransactionTemplate(context.getBean(PlatformTransactionManager.class)).executeWithoutResult(status -> {
            context.publishEvent(new Placed(id));
            outbox.schedule(request(id));
            if (rolledBack) {
                status.setRollbackOnly();
            }
        });
    }

    private void awaitStored(String id) {
        await().untilAsserted(
                        () -> assertThat(queues.template().find("orders", id)).isPresent());
    }

    private static int incomplete(AssertableApplicationContext context) {
        Integer publications = context.getBean(JdbcTemplate.class)
                .queryForObject("SELECT COUNT(*) FROM event_publication WHERE completion_date IS NULL", Integer.class);
        return publications == null ? 0 : publications;
    }

    private static ScheduleRequest<?> request(String id) {
        return requestTo("orders", id, "x", Duration.ofHours(1));
    }
}
