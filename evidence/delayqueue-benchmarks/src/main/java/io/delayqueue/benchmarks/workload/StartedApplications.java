// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.handler.DelayedTask;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/** The applications of W11. They contain only what their starter is for. Each is loaded with its starter. */
final class StartedApplications {

    /** The queue of the listener. */
    static final String QUEUE = "orders";

    private StartedApplications() {}

    /** The payload. */
    record Timeout(String order, int attempt) {}

    /** An empty application. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Empty {}

    /** An application with a handler. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class WithDelayqueue {

        @Bean
        TimeoutListener listener() {
            return new TimeoutListener();
        }

        @Bean
        Callable<Long> late(TimeoutListener listener) {
            return () -> listener.late.get(20, TimeUnit.SECONDS);
        }
    }

    static class TimeoutListener {

        private final CompletableFuture<Long> late = new CompletableFuture<>();

        @DelayQueueListener(queue = QUEUE)
        void onTimeout(DelayedTask<Timeout> task) {
            late.complete(task.lateness().toMillis());
        }
    }

    /** The application that schedules the task for {@link WithDelayqueue}. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Scheduling {}

    /** An application whose starter connects without further code. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class WithRedisson {}

    /** An application with a listener and its queue. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class WithSpringRabbit {

        @Bean
        Queue queue() {
            return new Queue("w11-" + QUEUE);
        }

        @Bean
        MessageListener listener() {
            return new MessageListener();
        }
    }

    static class MessageListener {

        @RabbitListener(queues = "w11-" + QUEUE)
        void onMessage(String text) {}
    }

    /** An application that uses a connection once, because its starter would otherwise not connect. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class WithSpringDataRedis {

        @Bean
        SmartInitializingSingleton ping(RedisConnectionFactory factory) {
            return () -> {
                try (RedisConnection connection = factory.getConnection()) {
                    connection.ping();
                }
            };
        }
    }
}
