// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.transaction;

import io.delayqueue.benchmarks.server.Place;
import io.delayqueue.benchmarks.subject.Task;
import io.delayqueue.test.server.TestDatabase;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The application of all subjects: a Spring Boot application with a pool of 16 connections and a table of orders. */
final class OrdersApplication implements AutoCloseable {

    private static final String TABLE = "CREATE TABLE IF NOT EXISTS orders (id BIGINT PRIMARY KEY, customer"
            + " VARCHAR(50) NOT NULL, total BIGINT NOT NULL, note VARCHAR(300) NOT NULL)";
    private static final String INSERT = "INSERT INTO orders (id, customer, total, note) VALUES (?, ?, ?, ?)";

    private final ConfigurableApplicationContext context;
    private final JdbcTemplate jdbc;
    private final TransactionTemplate transactions;
    private final AtomicLong statements;

    /** @param more properties of the subject, each as {@code name=value} */
    OrdersApplication(Place place, List<String> more, Class<?>... sources) {
        Class<?>[] all = Arrays.copyOf(sources, sources.length + 1);
        all[sources.length] = Application.class;
        this.context = new SpringApplicationBuilder(all)
                .properties(properties(place))
                .properties(more.toArray(String[]::new))
                .run();
        this.jdbc = context.getBean(JdbcTemplate.class);
        this.transactions = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
        this.statements = context.getBean(AtomicLong.class);
        jdbc.execute(TABLE);
    }

    private static Map<String, Object> properties(Place place) {
        TestDatabase database = place.orders();
        Map<String, Object> properties = new HashMap<>();
        properties.put("spring.main.banner-mode", "off");
        properties.put("spring.main.web-application-type", "none");
        properties.put("logging.level.root", "warn");
        properties.put(
                "spring.data.redis.url",
                "redis://" + place.redis().getHost() + ":" + place.redis().getPort());
        properties.put("spring.datasource.url", database.jdbcUrl());
        properties.put("spring.datasource.username", database.user());
        properties.put("spring.datasource.password", database.password());
        properties.put("spring.datasource.hikari.maximum-pool-size", 16);
        properties.put("delayqueue.queues.q0.shards", 1);
        properties.put("delayqueue.queues.q0.trigger.auto-startup", false);
        properties.put("namastack.outbox.enabled", false);
        return properties;
    }

    /** Inserts an order for each task, and runs an action in the same transaction. */
    void transaction(List<Task> tasks, Consumer<List<Task>> more) {
        transactions.executeWithoutResult(status -> {
            if (tasks.size() == 1) {
                jdbc.update(INSERT, order(tasks.get(0)));
            } else {
                List<Object[]> rows = new ArrayList<>(tasks.size());
                tasks.forEach(task -> rows.add(order(task)));
                jdbc.batchUpdate(INSERT, rows);
            }
            more.accept(tasks);
        });
    }

    private static Object[] order(Task task) {
        return new Object[] {task.number(), "customer " + task.number() % 1000, task.number() % 100_000, task.payload()
        };
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    JdbcTemplate jdbc() {
        return jdbc;
    }

    long statements() {
        return statements.get();
    }

    @Override
    public void close() {
        context.close();
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        AtomicLong statements() {
            return new AtomicLong();
        }

        @Bean
        static BeanPostProcessor countedStatements(ObjectProvider<AtomicLong> statements) {
            return new BeanPostProcessor() {
                @Override
                public Object postProcessAfterInitialization(Object bean, String name) {
                    return bean instanceof DataSource database && !(bean instanceof CountedStatements)
                            ? new CountedStatements(database, statements.getObject())
                            : bean;
                }
            };
        }
    }
}
