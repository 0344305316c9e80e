// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.delayqueue.internal.client.DelayQueueTemplate;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.QueueSettingsBuilder;
import io.delayqueue.internal.store.PendingChanges;
import io.delayqueue.jdbc.DelayQueueOutbox;
import io.delayqueue.test.server.DatabaseServer;
import io.delayqueue.test.server.TestDatabase;
import io.delayqueue.trigger.TestQueues;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** A database that takes connections and does not answer, as one does whose disk hangs. */
class HungDatabaseIntegrationTests {

    private static final int PROBES = 5;

    @Test
    void callersWhenTheDatabaseHangsAreNotHungWithIt() {
        try (DatabaseServer server = DatabaseServer.mariaDb().unflushed().start();
                TestQueues queues = new TestQueues(QueueSettingsBuilder.withDefaults("orders"))) {
            TestDatabase database = server.createDatabase("hung");
            new ApplicationContextRunner()
                    .withConfiguration(AutoConfigurations.of(DelayQueueJdbcAutoConfiguration.class))
                    .withBean(
                            DataSource.class,
                            () -> new DriverManagerDataSource(database.jdbcUrl(), database.user(), database.password()))
                    .withBean(DelayQueueTemplate.class, queues::template)
                    .withBean(
                            QueueCatalog.class,
                            () -> new QueueCatalog(List.of(QueueSettingsBuilder.withDefaults("orders"))))
                    .withPropertyValues(
                            "delayqueue.jdbc.initialize-schema=always", "delayqueue.jdbc.relay.enabled=false")
                    .run(context -> {
                        DelayQueueOutbox outbox = context.getBean(DelayQueueOutbox.class);
                        HealthIndicator health = context.getBean(HealthIndicator.class);
                        PendingChanges pending = context.getBean(PendingChanges.class);
                        assertThat(health.health().getStatus()).isEqualTo(Status.UP);
                        assertThat(pending.count()).isZero();
                        server.suspend();
                        try {
                            await().until(() -> health.health().getStatus().equals(Status.DOWN));
                            List<CompletableFuture<Status>> probes = Stream.generate(
                                            () -> CompletableFuture.supplyAsync(
                                                    () -> health.health().getStatus(),
                                                    task -> new Thread(task).start()))
                                    .limit(PROBES)
                                    .toList();
                            assertThat(probes)
                                    .allSatisfy(probe -> assertThat(probe)
                                            .succeedsWithin(Duration.ofSeconds(5))
                                            .isEqualTo(Status.DOWN));
                            assertThatExceptionOfType(QueryTimeoutException.class)
                                    .isThrownBy(pending::count)
                                    .withMessageContaining("for the number of outbox rows");
                            assertThatExceptionOfType(QueryTimeoutException.class)
                                    .isThrownBy(outbox::statistics)
                                    .withMessageContaining("has not answered within");
                        } finally {
                            server.resume();
                        }
                        await().until(() -> health.health().getStatus().equals(Status.UP));
                    });
        }
    }
}
