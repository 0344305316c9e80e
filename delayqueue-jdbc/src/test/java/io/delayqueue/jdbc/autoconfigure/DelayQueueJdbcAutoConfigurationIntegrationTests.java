// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc.autoconfigure;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.LogLines;
import io.delayqueue.TransactionMismatchException;
import io.delayqueue.internal.autoconfigure.failure.InvalidDelayQueueSetupException;
import io.delayqueue.internal.autoconfigure.settings.CheckedProperties;
import io.delayqueue.internal.client.DelayQueueTemplate;
import io.delayqueue.internal.jdbc.relay.OutboxStart;
import io.delayqueue.internal.jdbc.schema.MissingTablesException;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.QueueSettingsBuilder;
import io.delayqueue.internal.store.PendingChanges;
import io.delayqueue.internal.transaction.TransactionalOutbox;
import io.delayqueue.jdbc.DelayQueueDataSource;
import io.delayqueue.jdbc.DelayQueueOutbox;
import io.delayqueue.jdbc.OutboxStatistics;
import io.delayqueue.jdbc.TestOutbox;
import io.delayqueue.trigger.TestQueues;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationPredicate;
import io.micrometer.observation.ObservationRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** With databases in memory and queues in Redis. */
class DelayQueueJdbcAutoConfigurationIntegrationTests {

    private final TestQueues queues = new TestQueues(QueueSettingsBuilder.withDefaults("orders"));

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataSourceAutoConfiguration.class,
                    DataSourceTransactionManagerAutoConfiguration.class,
                    DelayQueueJdbcAutoConfiguration.class))
            .withBean(DelayQueueTemplate.class, queues::template)
            .withBean(QueueCatalog.class, () -> new QueueCatalog(List.of(QueueSettingsBuilder.withDefaults("orders"))))
            .withPropertyValues("spring.datasource.generate-unique-name=true");

    @AfterEach
    void close() {
        queues.close();
    }

    @Test
    void outboxWhenTheDatabaseIsEmbeddedHasItsTablesAndSendsWhatIsCommitted() {
        runner.run(context -> {
            String id = inTransaction(context.getBean(PlatformTransactionManager.class), TestOutbox.of(context));
            await().untilAsserted(() ->
                    assertThat(queues.template().find("orders", id)).isPresent());
            await().untilAsserted(() -> assertThat(
                            jdbc(context).queryForObject("SELECT COUNT(*) FROM delayqueue_outbox", Integer.class))
                    .isZero());
            assertThat(context.getBean(HealthIndicator.class).health()).satisfies(health -> {
                assertThat(health.getStatus()).isEqualTo(Status.UP);
                assertThat(health.getDetails()).containsOnlyKeys("backlog", "overdue", "oldest", "rejected");
            });
        });
    }

    @Test
    void childContextWhenItsParentAlsoHasAnOutboxHasItsOwn() {
        runner.run(parent -> runner.withParent(parent)
                .withPropertyValues("delayqueue.jdbc.table-prefix=child_")
                .run(child -> assertThat(
                                List.of("delayQueueInbox", "delayQueueOutbox", "delayqueueOutboxHealthContributor"))
                        .allMatch(child::containsLocalBean)));
    }

    private static JdbcTemplate jdbc(ApplicationContext context) {
        return new JdbcTemplate(context.getBean(DataSource.class));
    }

    private static String inTransaction(PlatformTransactionManager manager, DelayQueueOperations outbox) {
        return new TransactionTemplate(manager)
                .execute(status -> outbox.schedule(requestTo("orders", "x", Duration.ofHours(1)))
                        .id());
    }

    @Test
    void outboxWhenTurnedOffIsNotThere() {
        runner.withPropertyValues("delayqueue.jdbc.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(TransactionalOutbox.class));
        runner.withPropertyValues("delayqueue.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(TransactionalOutbox.class));
    }

    @Test
    void startWhenTheOutboxIsUsedWithoutItsTablesSaysWhatToRun() {
        runner.withPropertyValues("delayqueue.jdbc.initialize-schema=never", "delayqueue.jdbc.table-prefix=app_")
                .withUserConfiguration(Orders.class)
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining(MissingTablesException.class.getName())
                        .hasStackTraceContaining("There is no table app_schema_version. Run"
                                + " io/delayqueue/jdbc/schema-h2.sql of delayqueue-jdbc's jar, with app_"
                                + " replacing delayqueue_"));
    }

    @Test
    void outboxWhenItsTablesAreOfAnotherVersionDoesNotStart() {
        DataSource database = new DriverManagerDataSource("jdbc:h2:mem:version;DB_CLOSE_DELAY=-1", "sa", "");
        JdbcTemplate jdbc = new JdbcTemplate(database);
        jdbc.execute("CREATE TABLE delayqueue_schema_version (component VARCHAR(64) PRIMARY KEY, version INTEGER)");
        jdbc.execute("INSERT INTO delayqueue_schema_version VALUES ('outbox', 2)");
        runner.withBean("dataSource", DataSource.class, () -> database)
                .withUserConfiguration(Orders.class)
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining("The tables of the outbox have version 2"));
        // An erasure must not report that there are no rows.
        runner.withPropertyValues("delayqueue.jdbc.initialize-schema=never")
                .withBean("dataSource", DataSource.class, () -> database)
                .run(context -> assertThatThrownBy(
                                () -> context.getBean(PendingChanges.class).erase("orders", "", rows -> true))
                        .hasMessageContaining("The tables of the outbox have version 2"));
    }

    @Test
    void tablesWhenAPrefixIsSetHaveIt() {
        runner.withPropertyValues("delayqueue.jdbc.table-prefix=app_").run(context -> {
            String id = inTransaction(context.getBean(PlatformTransactionManager.class), TestOutbox.of(context));
            await().untilAsserted(() ->
                    assertThat(queues.template().find("orders", id)).isPresent());
            assertThat(jdbc(context)
                            .queryForList(
                                    "SELECT table_name FROM information_schema.tables WHERE table_schema = 'PUBLIC'",
                                    String.class))
                    .contains("APP_OUTBOX", "APP_OUTBOX_REJECTED", "APP_SCHEMA_VERSION")
                    .noneMatch(name -> name.startsWith("DELAYQUEUE_"));
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "table-prefix=a-b",
                "table-prefix=1a",
                "relay.lease=7s",
                "relay.lease=2h",
                "relay.poll-interval=9ms",
                "relay.batch-size=0",
                "relay.batch-size=501",
                "relay.longest-pause=100ms",
                "health.max-overdue=500ms",
                "health.max-age=366d"
            })
    void valuesWhenOutOfBoundsAreRefusedByName(String value) {
        String name = value.substring(0, value.indexOf('='));
        runner.withPropertyValues("delayqueue.jdbc." + value)
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining(InvalidDelayQueueSetupException.class.getName())
                        .hasStackTraceContaining("The property delayqueue.jdbc." + name + " is '"));
    }

    @Test
    void aDurationWithoutAUnitIsRefused() {
        runner.withInitializer(context -> context.getBeanFactory()
                        .registerSingleton(
                                "checkedProperties",
                                new CheckedProperties(
                                        new PropertySourcesPlaceholdersResolver(context.getEnvironment()))))
                .withPropertyValues("delayqueue.jdbc.relay.poll-interval=100")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining("The property delayqueue.jdbc.relay.poll-interval is '100', a duration"
                                + " without a unit."));
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoDatabases {

        @Bean
        DataSource shop() {
            return new DriverManagerDataSource("jdbc:h2:mem:shop;DB_CLOSE_DELAY=-1", "sa", "");
        }

        @Bean
        DataSource archive() {
            return new DriverManagerDataSource("jdbc:h2:mem:archive;DB_CLOSE_DELAY=-1", "sa", "");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OneOfThemMarked {

        @Bean
        DataSource shop() {
            return new DriverManagerDataSource("jdbc:h2:mem:shop;DB_CLOSE_DELAY=-1", "sa", "");
        }

        @Bean
        @DelayQueueDataSource
        DataSource archive() {
            return new DriverManagerDataSource("jdbc:h2:mem:archive;DB_CLOSE_DELAY=-1", "sa", "");
        }
    }

    @Test
    void outboxWhenThereAreSeveralDataSourcesAsksWhichOne() {
        runner.withUserConfiguration(TwoDatabases.class)
                .run(context -> assertThat(context).hasNotFailed());
        runner.withUserConfiguration(TwoDatabases.class, Orders.class)
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining("Annotate one of them with @DelayQueueDataSource"));
    }

    @Test
    void outboxWhenOneDataSourceIsMarkedIsInIt() {
        runner.withUserConfiguration(OneOfThemMarked.class).run(context -> {
            DelayQueueOperations outbox = TestOutbox.of(context);
            PlatformTransactionManager shop = new JdbcTransactionManager(context.getBean("shop", DataSource.class));
            PlatformTransactionManager archive =
                    new JdbcTransactionManager(context.getBean("archive", DataSource.class));
            String id = inTransaction(archive, outbox);
            await().untilAsserted(() ->
                    assertThat(queues.template().find("orders", id)).isPresent());
            assertThatExceptionOfType(TransactionMismatchException.class)
                    .isThrownBy(() -> inTransaction(shop, outbox))
                    .withMessageContaining("@DelayQueueDataSource");
        });
    }

    @Test
    void metersWhenTheyAreReadTellWhatTheOutboxHolds() {
        runner.withPropertyValues("delayqueue.jdbc.relay.enabled=false").run(context -> {
            SimpleMeterRegistry registry = new SimpleMeterRegistry();
            context.getBean(OutboxMeters.class).bindTo(registry);
            inTransaction(context.getBean(PlatformTransactionManager.class), TestOutbox.of(context));
            await().untilAsserted(() -> assertThat(
                            registry.get("delayqueue.outbox.backlog").gauge().value())
                    .isEqualTo(1));
            assertThat(registry.get("delayqueue.outbox.rejected").gauge().value())
                    .isZero();
            assertThat(registry.get("delayqueue.outbox.overdue").timeGauge().value())
                    .isZero();
        });
    }

    @Test
    void healthWhenARowWaitsTooLongIsDown() {
        runner.withPropertyValues("delayqueue.jdbc.health.max-overdue=1s", "delayqueue.jdbc.relay.enabled=false")
                .withUserConfiguration(Orders.class)
                .run(context -> {
                    jdbc(context)
                            .update(
                                    "INSERT INTO delayqueue_outbox VALUES (?, 'orders', 'a', 1, ?, ?, ?, 0)",
                                    new byte[] {1},
                                    new byte[] {1},
                                    System.currentTimeMillis() - 5_000,
                                    System.currentTimeMillis());
                    assertThat(context.getBean(HealthIndicator.class).health()).satisfies(health -> {
                        assertThat(health.getStatus()).isEqualTo(Status.DOWN);
                        assertThat(health.getDetails()).containsEntry("backlog", 1L);
                    });
                    assertThat(context.getBean(DelayQueueOutbox.class)
                                    .statistics()
                                    .overdue())
                            .isGreaterThan(Duration.ofSeconds(1));
                });
    }

    /** Uses the outbox. */
    @Configuration(proxyBeanMethods = false)
    static class Orders {

        Orders(TransactionalOutbox outbox) {
            assertThat(outbox).isNotNull();
        }
    }

    @Test
    void startWhenNothingUsesTheOutboxNeedsNoTablesAndAsksForNone() {
        runner.withPropertyValues("delayqueue.jdbc.initialize-schema=never").run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(HealthIndicator.class).health()).satisfies(health -> {
                assertThat(health.getStatus()).isEqualTo(Status.UP);
                assertThat(health.getDetails()).containsOnly(Map.entry("used", false));
            });
            SimpleMeterRegistry registry = new SimpleMeterRegistry();
            context.getBean(OutboxMeters.class).bindTo(registry);
            assertThat(registry.get("delayqueue.outbox.backlog").gauge().value())
                    .isNaN();
            PendingChanges outbox = context.getBean(PendingChanges.class);
            assertThat(outbox.count()).isZero();
            assertThat(outbox.erase("orders", "", rows -> false)).isTrue();
            assertThatThrownBy(() -> TestOutbox.of(context))
                    .hasStackTraceContaining("There is no table delayqueue_schema_version. Run");
        });
    }

    @Test
    void startWhenNothingUsesTheOutboxOrTheInboxAsksTheDatabaseForNoConnection() {
        AtomicInteger asked = new AtomicInteger();
        DataSource database = new DriverManagerDataSource("jdbc:h2:mem:unasked;DB_CLOSE_DELAY=-1", "sa", "") {
            @Override
            protected Connection getConnectionFromDriver(Properties properties) throws SQLException {
                asked.incrementAndGet();
                return super.getConnectionFromDriver(properties);
            }
        };
        runner.withPropertyValues("delayqueue.jdbc.initialize-schema=always")
                .withBean("dataSource", DataSource.class, () -> database)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(asked).hasValue(0);
                });
    }

    /** An instrumented DataSource would otherwise start a trace for each poll. */
    @Test
    void relayWhenItIsIdleOrSendsIsNotObserved() {
        ObservationRegistry registry = ObservationRegistry.create();
        List<String> observed = new CopyOnWriteArrayList<>();
        registry.observationConfig().observationHandler(new Recorder(observed));
        DataSource database = new DriverManagerDataSource("jdbc:h2:mem:observed;DB_CLOSE_DELAY=-1", "sa", "") {
            @Override
            protected Connection getConnectionFromDriver(Properties properties) throws SQLException {
                Observation.start("jdbc.connection", registry).stop();
                return super.getConnectionFromDriver(properties);
            }
        };
        runner.withPropertyValues("delayqueue.jdbc.relay.poll-interval=10ms")
                .withBean("dataSource", DataSource.class, () -> database)
                .withUserConfiguration(Orders.class)
                .run(context -> {
                    context.getBeanProvider(ObservationPredicate.class)
                            .forEach(registry.observationConfig()::observationPredicate);
                    assertThat(context.getBean(DelayQueueOutbox.class)
                                    .statistics()
                                    .backlog())
                            .isZero();
                    observed.clear();
                    await().pollDelay(Duration.ofSeconds(1)).until(() -> true);
                    assertThat(observed).as("while idle").isEmpty();

                    String id =
                            inTransaction(context.getBean(PlatformTransactionManager.class), TestOutbox.of(context));
                    await().untilAsserted(() ->
                            assertThat(queues.template().find("orders", id)).isPresent());
                    await().pollDelay(Duration.ofMillis(300)).until(() -> true);
                    assertThat(observed).as("the call's own transaction").hasSize(1);
                });
    }

    private record Recorder(List<String> observed) implements ObservationHandler<Observation.Context> {

        @Override
        public void onStart(Observation.Context context) {
            observed.add(context.getName());
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return true;
        }
    }

    /** H2 and MySQL commit a transaction that creates tables. */
    @Test
    void tablesWhenTheOutboxIsFirstUsedWithinATransactionAreCreatedOutsideOfIt() {
        runner.run(context -> {
            JdbcTemplate jdbc = jdbc(context);
            jdbc.execute("CREATE TABLE orders (id VARCHAR(10))");
            new TransactionTemplate(context.getBean(PlatformTransactionManager.class)).executeWithoutResult(status -> {
                jdbc.update("INSERT INTO orders VALUES ('7')");
                context.getBean(TransactionalOutbox.class);
                status.setRollbackOnly();
            });
            assertThat(jdbc.queryForObject("SELECT COUNT(*) FROM orders", Integer.class))
                    .isZero();
            assertThat(jdbc.queryForObject("SELECT COUNT(*) FROM delayqueue_outbox", Integer.class))
                    .isZero();
        });
    }

    @Test
    void startWhenTheDatabaseCannotHaveTheTablesNamesThoseThatCanOnceTheOutboxIsUsed() {
        ApplicationContextRunner hsqldb = runner.withPropertyValues("spring.datasource.url=jdbc:hsqldb:mem:other");
        hsqldb.run(context -> assertThat(context).hasNotFailed());
        hsqldb.withUserConfiguration(Orders.class)
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining("support PostgreSQL, MariaDB, MySQL and H2, but the DataSource's "
                                + "database is HSQLDB")
                        .hasStackTraceContaining("delayqueue.jdbc.enabled"));
    }

    @Test
    void tablesWhenTheDatabaseCannotHaveThemAreNotBegun() {
        runner.withPropertyValues(
                        "spring.datasource.url=jdbc:hsqldb:mem:refused", "delayqueue.jdbc.initialize-schema=always")
                .withUserConfiguration(Orders.class)
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining(InvalidDelayQueueSetupException.class.getName())
                        .hasStackTraceContaining("HSQLDB"));
        assertThat(new JdbcTemplate(new DriverManagerDataSource("jdbc:hsqldb:mem:refused", "sa", ""))
                        .queryForList(
                                "SELECT table_name FROM information_schema.tables WHERE table_schema = 'PUBLIC'",
                                String.class))
                .isEmpty();
    }

    /** Only another version of the application may have it. */
    @Test
    void startWhenAQueueToBeCheckedIsNotConfiguredNamesItInTheLog() {
        try (LogLines log = new LogLines()) {
            runner.withPropertyValues("delayqueue.jdbc.check-before-delivery=orders,ordres")
                    .run(context -> assertThat(context).hasNotFailed());
            assertThat(log.all())
                    .filteredOn(line -> line.contains("check-before-delivery"))
                    .singleElement()
                    .satisfies(line -> assertThat(line).contains("contains ordres,"));
        }
    }

    @Test
    void startWhenRowsWaitAndNoProcessRelaysSaysSo() {
        runner.withPropertyValues(
                        "delayqueue.jdbc.relay.enabled=false",
                        "delayqueue.jdbc.relay.lease=1s",
                        "delayqueue.redis.command-timeout=250ms")
                .withUserConfiguration(Orders.class)
                .run(context -> {
                    OutboxStart start = context.getBean(OutboxStart.class);
                    try (LogLines log = new LogLines()) {
                        start.stop();
                        start.start();
                        inTransaction(context.getBean(PlatformTransactionManager.class), TestOutbox.of(context));
                        await().pollDelay(Duration.ofMillis(1500)).until(() -> true);
                        start.stop();
                        start.start();
                        await().untilAsserted(() -> assertThat(log.all())
                                .filteredOn(line -> line.contains("No process relays the outbox"))
                                .hasSize(1));
                    }
                });
    }

    /** Each attempt postpones the moment when it may be taken again, so that it is never overdue. */
    @Test
    void healthWhenARowHasFailedForLongIsDown() {
        runner.withPropertyValues("delayqueue.jdbc.relay.enabled=false")
                .withUserConfiguration(Orders.class)
                .run(context -> {
                    HealthIndicator indicator = context.getBean(HealthIndicator.class);
                    jdbc(context)
                            .update(
                                    "INSERT INTO delayqueue_outbox VALUES (?, 'orders', 'a', 1, ?, ?, ?, 500)",
                                    new byte[] {1},
                                    new byte[] {1},
                                    System.currentTimeMillis() + 60_000,
                                    System.currentTimeMillis()
                                            - Duration.ofHours(2).toMillis());
                    assertThat(indicator.health().getStatus()).isEqualTo(Status.DOWN);
                    OutboxStatistics statistics =
                            context.getBean(DelayQueueOutbox.class).statistics();
                    assertThat(statistics.overdue()).isZero();
                    assertThat(statistics.oldest()).isBetween(Duration.ofHours(2), Duration.ofHours(3));
                });
    }
}
