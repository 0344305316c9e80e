// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.internal.autoconfigure.failure.InvalidDelayQueueSetupException;
import io.delayqueue.internal.client.DelayQueueTemplate;
import io.delayqueue.internal.jdbc.inbox.InboxCleanup;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.QueueSettingsBuilder;
import io.delayqueue.internal.transaction.TransactionalOutbox;
import io.delayqueue.jdbc.DelayQueueDataSource;
import io.delayqueue.jdbc.DelayQueueInbox;
import io.delayqueue.jdbc.ReceivedTask;
import io.delayqueue.trigger.TestQueues;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

class InboxIntegrationTests {

    private static final ReceivedTask TASK = new ReceivedTask("orders", "0123456789abcdefABCD-_");

    private final TestQueues queues = new TestQueues(QueueSettingsBuilder.withDefaults("orders"));

    private final ApplicationContextRunner withoutDataSource = new ApplicationContextRunner()
            .withBean(DelayQueueTemplate.class, queues::template)
            .withBean(DelayQueueAdmin.class, queues::admin)
            .withBean(QueueCatalog.class, () -> new QueueCatalog(List.of(QueueSettingsBuilder.withDefaults("orders"))))
            .withConfiguration(AutoConfigurations.of(DelayQueueJdbcAutoConfiguration.class));

    private final ApplicationContextRunner runner =
            withoutDataSource.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class));

    @AfterEach
    void close() {
        queues.close();
    }

    @Test
    void inboxWhenThereIsNoDataSourceIsNotThere() {
        withoutDataSource.run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(DelayQueueInbox.class));
    }

    /** As in an application that only consumes from RabbitMQ. */
    @Test
    void inboxWhenThereAreNeitherQueuesNorRedisAcceptsTasks() {
        new ApplicationContextRunner()
                .withClassLoader(new FilteredClassLoader("io.lettuce", "org.springframework.data.redis"))
                .withConfiguration(
                        AutoConfigurations.of(DataSourceAutoConfiguration.class, DelayQueueJdbcAutoConfiguration.class))
                .withPropertyValues("spring.datasource.generate-unique-name=true")
                .run(context -> {
                    assertThat(context).hasNotFailed().doesNotHaveBean(TransactionalOutbox.class);
                    DelayQueueInbox inbox = context.getBean(DelayQueueInbox.class);
                    TransactionTemplate transaction =
                            new TransactionTemplate(new JdbcTransactionManager(context.getBean(DataSource.class)));
                    assertThat(transaction.<Boolean>execute(status -> inbox.accept(TASK)))
                            .isTrue();
                    assertThat(transaction.<Boolean>execute(status -> inbox.accept(TASK)))
                            .isFalse();
                });
    }

    @Test
    void inboxWhenItsTableIsMissingSaysWhatToRun() {
        runner.withPropertyValues("delayqueue.jdbc.initialize-schema=never").run(context -> {
            assertThat(context).hasNotFailed();
            assertThatThrownBy(() -> context.getBean(DelayQueueInbox.class))
                    .hasStackTraceContaining("There is no table delayqueue_schema_version. Run");
        });
    }

    @Test
    void inboxWhenTheOutboxIsSwitchedOffIsNotThere() {
        runner.withPropertyValues("delayqueue.jdbc.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(DelayQueueInbox.class));
    }

    @Test
    void inboxWithoutSettingsHasTheDefaults() {
        runner.run(context -> {
            assertThat(context).hasSingleBean(DelayQueueInbox.class).hasSingleBean(InboxCleanup.class);
            assertThat(context.getBean(InboxCleanup.Options.class))
                    .isEqualTo(new InboxCleanup.Options(Duration.ofDays(30), Duration.ofMinutes(10), 500));
        });
    }

    @Test
    void cleanupWhenSwitchedOffIsNotThere() {
        runner.withPropertyValues("delayqueue.jdbc.inbox.cleanup=false")
                .run(context -> assertThat(context).doesNotHaveBean(InboxCleanup.class));
    }

    @ParameterizedTest
    @CsvSource({"retention,59s", "retention,3651d", "cleanup-interval,999ms", "cleanup-interval,25h"})
    void startWhenASettingIsOutOfBoundsFailsAndNamesIt(String name, String value) {
        runner.withPropertyValues("delayqueue.jdbc.inbox." + name + "=" + value)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasRootCauseInstanceOf(InvalidDelayQueueSetupException.class)
                        .rootCause()
                        .hasMessageContaining("delayqueue.jdbc.inbox." + name));
    }

    @Test
    void inboxWhenADataSourceIsMarkedUsesThat() {
        runner.withUserConfiguration(TwoDataSources.class)
                .withPropertyValues("delayqueue.jdbc.table-prefix=shop_")
                .run(context -> {
                    DataSource marked = context.getBean("marked", DataSource.class);
                    JdbcTemplate jdbc = new JdbcTemplate(marked);
                    new TransactionTemplate(new JdbcTransactionManager(marked))
                            .executeWithoutResult(status -> assertThat(context.getBean(DelayQueueInbox.class)
                                            .accept(TASK))
                                    .isTrue());
                    assertThat(jdbc.queryForObject("SELECT COUNT(*) FROM shop_inbox", Long.class))
                            .isEqualTo(1);
                });
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoDataSources {

        @Bean
        DataSource another() {
            return new DriverManagerDataSource("jdbc:h2:mem:another");
        }

        @Bean
        @DelayQueueDataSource
        DataSource marked() {
            return new DriverManagerDataSource("jdbc:h2:mem:marked;DB_CLOSE_DELAY=-1");
        }
    }
}
