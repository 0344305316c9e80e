// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.modules;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.annotation.DelayQueueListener;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** An application that schedules a task and handles it. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class SmallApplication {

    @Bean
    Listener listener() {
        return new Listener();
    }

    /** Starts the application, waits for the delivery of a task and stops the application. */
    public static void main(String[] redisAndKeyPrefix) throws Exception {
        SpringApplication application = new SpringApplication(SmallApplication.class);
        application.setDefaultProperties(Map.of(
                "delayqueue.redis.url", redisAndKeyPrefix[0],
                "delayqueue.key-prefix", redisAndKeyPrefix[1],
                "delayqueue.queues.orders.shards", "1",
                "server.port", "0",
                "spring.datasource.url", "jdbc:h2:mem:modules",
                "spring.main.banner-mode", "off",
                "spring.application.name", "modules",
                "logging.level.root", "warn",
                "management.endpoints.web.exposure.include", "*"));
        try (ConfigurableApplicationContext context = application.run()) {
            context.getBean(DelayQueueOperations.class)
                    .schedule(ScheduleRequest.to("orders")
                            .payload("order 7")
                            .dueIn(Duration.ofMillis(50))
                            .build());
            context.getBean(Listener.class).got.get(30, TimeUnit.SECONDS);
        }
    }

    static class Listener {

        private final CompletableFuture<String> got = new CompletableFuture<>();

        @DelayQueueListener(queue = "orders")
        void on(String order) {
            got.complete(order);
        }
    }
}
