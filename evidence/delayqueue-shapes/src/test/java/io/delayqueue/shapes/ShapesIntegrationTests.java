// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.shapes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.test.server.RedisServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableWebApplicationContext;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.boot.web.server.servlet.context.AnnotationConfigServletWebServerApplicationContext;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.util.ClassUtils;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Applications without Redis behave with the starter as without it, with and without a queue. The class path
 * has their libraries and those that the starter brings.
 */
class ShapesIntegrationTests {

    private static RedisServer redis;

    private final WebApplicationContextRunner application = new WebApplicationContextRunner(
                    AnnotationConfigServletWebServerApplicationContext::new)
            .withPropertyValues(
                    "server.port=0",
                    "spring.application.name=shop",
                    "spring.datasource.generate-unique-name=true",
                    "management.endpoint.health.probes.enabled=false",
                    "management.endpoint.health.show-details=always");

    @BeforeAll
    static void startServer() {
        redis = RedisServer.embedded().start();
    }

    @AfterAll
    static void stopServer() {
        redis.close();
    }

    private WebApplicationContextRunner withQueue() {
        return application
                .withUserConfiguration(Listener.class)
                .withPropertyValues("delayqueue.redis.url=" + redis.uri(), "delayqueue.queues.orders=");
    }

    /** Each of these would choose for the application: repositories, caches, health, and its JSON. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "org.springframework.data.redis.core.RedisTemplate",
                "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
                "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration"
            })
    void starterDoesNotBring(String className) {
        assertThat(ClassUtils.isPresent(className, null)).isFalse();
    }

    @Test
    void repositoryOfAnEntityWithOnlyAnIdIsABean() {
        withQueue()
                .withUserConfiguration(Shop.class)
                .withPropertyValues("delayqueue.jdbc.initialize-schema=never")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    context.getBean(JdbcTemplate.class)
                            .execute("CREATE TABLE \"CUSTOMER\" (\"ID\" IDENTITY PRIMARY KEY, \"NAME\" VARCHAR(20))");
                    CustomerRepository customers = context.getBean(CustomerRepository.class);
                    customers.save(new Customer(null, "Ada"));
                    assertThat(customers.findAll()).extracting(Customer::name).containsExactly("Ada");
                    assertDelivers(context);
                });
    }

    @Test
    void cacheOfCaffeineStaysThere() {
        withQueue().withUserConfiguration(Shop.class).run(context -> {
            assertThat(cacheManager(context)).endsWith("CaffeineCacheManager");
            assertDelivers(context);
        });
    }

    @Test
    void plainCacheStaysInMemory() {
        withQueue()
                .withUserConfiguration(Shop.class)
                .withClassLoader(new FilteredClassLoader("com.github.benmanes.caffeine"))
                .run(context -> {
                    assertThat(cacheManager(context)).endsWith("ConcurrentMapCacheManager");
                    assertDelivers(context);
                });
    }

    private static String cacheManager(AssertableWebApplicationContext context) {
        return context.getBean(CacheManager.class).getClass().getName();
    }

    /** With delayqueue-jdbc as well, but without its tables. */
    @Test
    void healthWhenThereIsNoQueueIsUpAndHasNoRedis() {
        application
                .withUserConfiguration(Shop.class)
                .withPropertyValues("delayqueue.jdbc.initialize-schema=never")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    HttpResponse<String> health = get(context, "/actuator/health");
                    assertThat(health.statusCode()).as(health.body()).isEqualTo(200);
                    assertThat(health.body()).doesNotContain("\"redis\":{").doesNotContain("\"rabbit\":{");
                });
    }

    @Test
    void jsonOfAnApplicationWithJackson2IsItsOwn() {
        withQueue()
                .withUserConfiguration(Shop.class, Prices.class)
                .withPropertyValues("spring.jackson2.property-naming-strategy=SNAKE_CASE")
                .run(context -> {
                    assertThat(get(context, "/price").body()).isEqualTo("{\"net_price\":7}");
                    assertDelivers(context);
                });
    }

    @Test
    void databaseMayBeOneThatCannotHaveAnOutbox() {
        withQueue()
                .withUserConfiguration(Shop.class)
                .withPropertyValues("spring.datasource.url=jdbc:hsqldb:mem:shop")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBean(DataSource.class)
                                    .getConnection()
                                    .getMetaData()
                                    .getDatabaseProductName())
                            .startsWith("HSQL");
                    assertDelivers(context);
                });
    }

    private static void assertDelivers(AssertableWebApplicationContext context) {
        assertThat(context).hasNotFailed();
        Listener listener = context.getBean(Listener.class);
        context.getBean(DelayQueueOperations.class)
                .schedule(ScheduleRequest.to("orders")
                        .payload("order 7")
                        .dueIn(Duration.ofMillis(50))
                        .build());
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(listener.got).containsExactly("order 7"));
    }

    private static HttpResponse<String> get(AssertableWebApplicationContext context, String path)
            throws IOException, InterruptedException {
        int port = ((WebServerApplicationContext) context.getSourceApplicationContext())
                .getWebServer()
                .getPort();
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableCaching
    static class Shop {}

    @RestController
    static class Prices {

        @GetMapping("/price")
        Price price() {
            return new Price(7);
        }

        record Price(int netPrice) {}
    }

    static class Listener {

        final List<String> got = new CopyOnWriteArrayList<>();

        @DelayQueueListener(queue = "orders")
        void on(String order) {
            got.add(order);
        }
    }
}
