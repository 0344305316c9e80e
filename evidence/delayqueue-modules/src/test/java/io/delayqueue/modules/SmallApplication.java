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
import org.springframework.util.ClassUtils;

/** An application that schedules a task and handles it. {@link ModulesIntegrationTests} finds it by name. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class SmallApplication {

    private static final String TOMCAT_URLS = "org.apache.catalina.webresources.TomcatURLStreamHandlerFactory";

    @Bean
    Listener listener() {
        return new Listener();
    }

    /** Starts the application, waits for the delivery of a task and stops the application. */
    public static void run(String redis, String keyPrefix) throws Exception {
        // A JVM accepts one such handler, and several applications run in this one.
        if (ClassUtils.isPresent(TOMCAT_URLS, null)) {
            Class.forName(TOMCAT_URLS).getMethod("disable").invoke(null);
        }
        SpringApplication application = new SpringApplication(SmallApplication.class);
        // A hook would keep the class loader of this application until the JVM of all of them ends.
        application.setRegisterShutdownHook(false);
        application.setDefaultProperties(Map.of(
                "delayqueue.redis.url", redis,
                "delayqueue.key-prefix", keyPrefix,
                "delayqueue.queues.orders.shards", "1",
                "server.port", "0",
                "spring.datasource.url", "jdbc:h2:mem:modules",
                "spring.main.banner-mode", "off",
                "spring.application.name", "modules",
                "logging.level.root", "warn",
                "logging.register-shutdown-hook", "false",
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
