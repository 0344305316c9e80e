// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import static io.delayqueue.TestRequests.requestTo;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.test.server.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Several applications in a JVM: beside each other, one after the other with other classes, and on several servers. */
class SeveralContextsIntegrationTests {

    private static RedisServer redis;

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataRedisAutoConfiguration.class,
                    JacksonAutoConfiguration.class,
                    DelayQueueAutoConfiguration.class))
            .withPropertyValues("spring.data.redis.url=" + redis.uri(), "delayqueue.queues.orders=");

    @BeforeAll
    static void startServer() {
        redis = RedisServer.embedded().start();
    }

    @AfterAll
    static void stopServer() {
        redis.close();
    }

    public record Order(long id) {}

    public static class Listener {

        public final List<Object> seen = new CopyOnWriteArrayList<>();

        @DelayQueueListener(queue = "orders")
        public void onTimeout(Order order) {
            seen.add(order);
        }
    }

    @Test
    void contextsBesideEachOtherHandleTheirOwnTasksAndOneGoesOnWhenTheOtherIsClosed() {
        ApplicationContextRunner first = runner.withBean(Listener.class).withPropertyValues("delayqueue.key-prefix=a");
        ApplicationContextRunner second = runner.withBean(Listener.class).withPropertyValues("delayqueue.key-prefix=b");
        first.run(survivor -> {
            second.run(other -> {
                schedule(survivor, new Order(1));
                schedule(other, new Order(2));
                awaitSeen(survivor, new Order(1));
                awaitSeen(other, new Order(2));
            });
            schedule(survivor, new Order(3));
            awaitSeen(survivor, new Order(1), new Order(3));
        });
    }

    @Test
    void childContextWhenItHasAnotherKeyPrefixOperatesOnItsOwnTasks() {
        ApplicationContextRunner both = runner.withConfiguration(AutoConfigurations.of(
                        DelayQueueHealthAutoConfiguration.class, DelayQueueEndpointAutoConfiguration.class))
                .withPropertyValues("management.endpoints.web.exposure.include=delayqueue");
        both.withPropertyValues("delayqueue.key-prefix=parent")
                .run(parent -> both.withParent(parent)
                        .withPropertyValues("delayqueue.key-prefix=child")
                        .run(child -> {
                            schedule(parent, new Order(1));
                            schedule(child, new Order(2));

                            child.getBean(DelayQueueAdmin.class).purge("orders", "orders");

                            assertThat(child.getBean(DelayQueueAdmin.class)
                                            .stats("orders")
                                            .ready())
                                    .isZero();
                            assertThat(parent.getBean(DelayQueueAdmin.class)
                                            .stats("orders")
                                            .ready())
                                    .isOne();
                            assertThat(List.of(
                                            "delayQueueBulkOperations",
                                            "delayqueueHealthContributor",
                                            "delayQueueEndpoint"))
                                    .allMatch(child::containsLocalBean);
                        }));
    }

    /** As Spring Boot's developer tools do it: the application's classes are loaded anew, the libraries' are not. */
    @Test
    void contextWhenRestartedWithOtherClassesReadsPayloadsAsTheseAndLeavesNoThreadOfTheOthers() throws Exception {
        ApplicationContextRunner restarting = runner.withPropertyValues("delayqueue.key-prefix=restarted");
        Restarted before = new Restarted();
        Restarted after = new Restarted();
        restarting
                .withClassLoader(before)
                .withPropertyValues("delayqueue.queues.orders.trigger.auto-startup=false")
                .run(context -> schedule(
                        context,
                        before.loadClass(Order.class.getName())
                                .getConstructor(long.class)
                                .newInstance(7L)));
        for (Restarted classes : List.of(after, new Restarted())) {
            Class<?> listener = classes.loadClass(Listener.class.getName());
            restarting.withClassLoader(classes).withBean(listener).run(context -> {
                schedule(
                        context,
                        classes.loadClass(Order.class.getName())
                                .getConstructor(long.class)
                                .newInstance(8L));
                List<?> seen = (List<?>) listener.getField("seen").get(context.getBean(listener));
                await().atMost(Duration.ofSeconds(10))
                        .untilAsserted(() -> assertThat(seen)
                                .isNotEmpty()
                                .allSatisfy(order -> assertThat(order.getClass().getClassLoader())
                                        .isSameAs(classes)));
            });
        }
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                        .filteredOn(thread -> thread.getContextClassLoader() instanceof Restarted)
                        .isEmpty());
    }

    @Test
    void tasksWhenAConnectionFactoryIsNamedAreKeptThere() {
        try (RedisServer timers = RedisServer.embedded().start()) {
            runner.withUserConfiguration(TwoServers.class)
                    .withBean(Listener.class)
                    .withPropertyValues(
                            "timers=" + timers.uri(),
                            "sessions=" + redis.uri(),
                            "delayqueue.key-prefix=second",
                            "delayqueue.redis.connection-factory=timers")
                    .run(context -> {
                        schedule(context, new Order(1));
                        awaitSeen(context, new Order(1));
                    });
            assertThat(shardings(redis)).isZero();
            assertThat(shardings(timers)).isOne();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoServers {

        @Bean
        @Primary
        RedisConnectionFactory sessions(Environment environment) {
            return at(environment.getRequiredProperty("sessions"));
        }

        @Bean
        RedisConnectionFactory timers(Environment environment) {
            return at(environment.getRequiredProperty("timers"));
        }

        private static RedisConnectionFactory at(String uri) {
            return new LettuceConnectionFactory(LettuceConnectionFactory.createRedisConfiguration(uri));
        }
    }

    private static void schedule(ApplicationContext context, Object payload) {
        context.getBean(DelayQueueOperations.class).schedule(requestTo("orders", payload, Duration.ZERO));
    }

    private static void awaitSeen(ApplicationContext context, Order... orders) {
        await().atMost(Duration.ofSeconds(10))
                .untilAsserted(() ->
                        assertThat(context.getBean(Listener.class).seen).containsExactlyInAnyOrder((Object[]) orders));
    }

    private static long shardings(RedisServer server) {
        try (RedisClient operator = RedisClient.create(RedisURI.create(server.adminUri()))) {
            return operator.connect().sync().exists("second:{orders}:sharding");
        }
    }

    /** Loads the classes of the application anew. */
    private static final class Restarted extends ClassLoader {

        Restarted() {
            super(SeveralContextsIntegrationTests.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.equals(Order.class.getName()) && !name.equals(Listener.class.getName())) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return (loaded != null) ? loaded : define(name);
            }
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream in = requireNonNull(getResourceAsStream(name.replace('.', '/') + ".class"))) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException ex) {
                throw new ClassNotFoundException(name, ex);
            }
        }
    }
}
