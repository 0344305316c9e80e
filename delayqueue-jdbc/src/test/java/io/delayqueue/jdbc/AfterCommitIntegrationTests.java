// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.delayqueue.CancelOutcome;
import io.delayqueue.DelayQueueOperations;
import io.delayqueue.Due;
import io.delayqueue.autoconfigure.DelayQueueAutoConfiguration;
import io.delayqueue.test.junit.DelayQueueServers;
import io.delayqueue.test.server.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.event.TransactionPhase;
import org.springframework.transaction.event.TransactionalEventListener;

/**
 * {@code delayqueue.transactions=after-commit} in the transactions of a real manager, as an application writes them.
 */
@DelayQueueServers
class AfterCommitIntegrationTests {

    private ConfigurableApplicationContext context;
    private Orders orders;
    private DelayQueueOperations tasks;

    @BeforeEach
    void start(RedisServer redis) {
        context = new SpringApplicationBuilder(Shop.class)
                .web(WebApplicationType.NONE)
                .properties(
                        "spring.main.banner-mode=off",
                        "spring.data.redis.url=" + redis.uri(),
                        "delayqueue.key-prefix=t" + System.nanoTime(),
                        "delayqueue.queues.orders.shards=1",
                        "delayqueue.transactions=after-commit")
                .run();
        orders = context.getBean(Orders.class);
        tasks = context.getBean(DelayQueueOperations.class);
    }

    @AfterEach
    void stop() {
        context.close();
    }

    @Test
    void orderWhenItIsStoredHasItsTimer() {
        orders.place("a");
        assertThat(tasks.find("orders", "a")).isPresent();
    }

    @Test
    void orderWhenTheDatabaseRefusesItHasNoTimer() {
        orders.place("a");
        tasks.cancel("orders", "a");
        assertThatExceptionOfType(DuplicateKeyException.class).isThrownBy(() -> orders.place("a"));
        assertThat(tasks.find("orders", "a")).isEmpty();
    }

    @Test
    void orderWhenAPartOfItsTransactionIsRolledBackHasTheTimersOfTheRest() {
        orders.place("a", () -> {
            orders.nested("b", false);
            assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> orders.nested("c", true));
            assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> orders.alone("d", true));
            orders.alone("e", false);
            assertThat(tasks.find("orders", "e")).isPresent();
            assertThat(tasks.find("orders", "b")).isEmpty();
        });
        for (String id : List.of("a", "b", "e")) {
            assertThat(tasks.find("orders", id)).as(id).isPresent();
        }
        assertThat(tasks.find("orders", "c")).isEmpty();
        assertThat(tasks.find("orders", "d")).isEmpty();
    }

    @Test
    void listenersWhenTheyHearOfTheTransactionCallAfterWhatWasDeferred() {
        orders.place("a");
        Phases phases = context.getBean(Phases.class);
        assertThat(phases.outcomes).containsExactly("BEFORE_COMMIT DEFERRED", "AFTER_COMMIT IN_THE_QUEUE true");
        assertThat(tasks.find("orders", "a")).isPresent();
        assertThat(tasks.find("orders", "extra")).isEmpty();
    }

    record Placed(String id) {}

    static class Orders {

        private final JdbcTemplate jdbc;
        private final DelayQueueOperations tasks;
        private final ApplicationEventPublisher events;

        Orders(DataSource dataSource, DelayQueueOperations tasks, ApplicationEventPublisher events) {
            this.jdbc = new JdbcTemplate(dataSource);
            this.tasks = tasks;
            this.events = events;
        }

        @Transactional
        public void place(String id) {
            store(id);
            events.publishEvent(new Placed(id));
        }

        @Transactional
        public void place(String id, Runnable more) {
            store(id);
            more.run();
        }

        @Transactional(propagation = Propagation.NESTED)
        public void nested(String id, boolean fails) {
            store(id, fails);
        }

        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void alone(String id, boolean fails) {
            store(id, fails);
        }

        private void store(String id, boolean fails) {
            store(id);
            if (fails) {
                throw new IllegalStateException("the application's");
            }
        }

        private void store(String id) {
            tasks.queue("orders", String.class).schedule(id, "x", Due.after(Duration.ofHours(1)));
            jdbc.update("INSERT INTO orders (id) VALUES (?)", id);
        }
    }

    static class Phases {

        final List<String> outcomes = new ArrayList<>();
        private final DelayQueueOperations tasks;

        Phases(DelayQueueOperations tasks) {
            this.tasks = tasks;
        }

        @TransactionalEventListener(phase = TransactionPhase.BEFORE_COMMIT)
        public void before(Placed placed) {
            tasks.queue("orders", String.class).schedule("extra", "x", Due.after(Duration.ofHours(1)));
            outcomes.add("BEFORE_COMMIT " + tasks.cancel("orders", "none"));
        }

        @TransactionalEventListener
        public void after(Placed placed) {
            CancelOutcome extra = tasks.cancel("orders", "extra");
            outcomes.add("AFTER_COMMIT IN_THE_QUEUE " + (extra == CancelOutcome.CANCELLED));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(proxyTargetClass = true)
    @ImportAutoConfiguration(DelayQueueAutoConfiguration.class)
    static class Shop {

        @Bean
        DataSource dataSource() {
            String url = "jdbc:h2:mem:after" + System.nanoTime() + ";DB_CLOSE_DELAY=-1";
            DataSource dataSource = new DriverManagerDataSource(url, "sa", "");
            new JdbcTemplate(dataSource).execute("CREATE TABLE orders (id VARCHAR(50) PRIMARY KEY)");
            return dataSource;
        }

        @Bean
        JdbcTransactionManager transactionManager(DataSource dataSource) {
            return new JdbcTransactionManager(dataSource);
        }

        @Bean
        Orders orders(DataSource dataSource, DelayQueueOperations tasks, ApplicationEventPublisher events) {
            return new Orders(dataSource, tasks, events);
        }

        @Bean
        Phases phases(DelayQueueOperations tasks) {
            return new Phases(tasks);
        }
    }
}
