// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.outbox;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.faults.outbox.Journal.Task;
import io.delayqueue.handler.DelayedTask;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/**
 * An application that reads Redis independently of the applications that die, and handles due tasks. It has no outbox
 * and runs during all rounds.
 */
final class LookingApplication implements AutoCloseable {

    private final ConfigurableApplicationContext context;
    private final Deliveries deliveries = new Deliveries();

    /** @param properties properties of Spring, each as {@code name=value} */
    LookingApplication(List<String> properties) {
        this.context = new SpringApplicationBuilder(Configuration.class)
                .profiles("outbox-rounds")
                .web(WebApplicationType.NONE)
                .logStartupInfo(false)
                .registerShutdownHook(false)
                .properties(properties.toArray(String[]::new))
                .initializers(started -> started.getBeanFactory().registerSingleton("deliveries", deliveries))
                .run(
                        "--delayqueue.jdbc.enabled=false",
                        "--delayqueue.redis.command-timeout=5s",
                        "--delayqueue.defaults.trigger.auto-startup=true");
    }

    /** Returns the task that is stored under an id, or null. */
    @Nullable
    Task find(String id) {
        return context.getBean(DelayQueueOperations.class)
                .find(OutboxRounds.QUEUE, id, String.class)
                .map(found -> new Task(found.payload(), found.dueAt().toEpochMilli()))
                .orElse(null);
    }

    Deliveries deliveries() {
        return deliveries;
    }

    @Override
    public void close() {
        context.close();
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Configuration {

        @Bean
        Handler handler(Deliveries deliveries) {
            return new Handler(deliveries);
        }
    }

    static final class Handler {

        private final Deliveries deliveries;

        Handler(Deliveries deliveries) {
            this.deliveries = deliveries;
        }

        @DelayQueueListener(queue = OutboxRounds.QUEUE)
        void handle(DelayedTask<String> task) {
            deliveries.add(task);
        }
    }
}
