// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.rqueue;

import com.github.sonus21.rqueue.annotation.RqueueListener;
import com.github.sonus21.rqueue.config.RqueueConfig;
import com.github.sonus21.rqueue.config.SimpleRqueueListenerContainerFactory;
import com.github.sonus21.rqueue.core.RqueueEndpointManager;
import com.github.sonus21.rqueue.core.RqueueMessageEnqueuer;
import com.github.sonus21.rqueue.core.RqueueMessageManager;
import io.delayqueue.benchmarks.server.Place;
import io.delayqueue.benchmarks.subject.Need;
import io.delayqueue.benchmarks.subject.Sink;
import io.delayqueue.benchmarks.subject.Subject;
import io.delayqueue.benchmarks.subject.Task;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * Rqueue with its starter. For a single queue it has a concurrency of 4, the number of threads that this library has by
 * default. Rqueue has no batches. It delivers at most 20 tasks a second: a listener takes as many tasks as it has
 * threads, and if no thread is free, it sleeps for the polling interval of 200 ms, however short the tasks are. It also
 * moves at most 100 due tasks to the listeners' list every 2 s. The tuned subject has a concurrency of 20 and a polling
 * interval of 1 ms, moves 1,000 tasks every 100 ms, and does not record the attempts of tasks.
 */
final class RqueueSubject implements Subject {

    private final ConfigurableApplicationContext context;
    private final RqueueMessageEnqueuer enqueuer;
    private final RqueueMessageManager messages;
    private final StringRedisTemplate redis;
    private final RqueueConfig config;
    private final int queues;

    RqueueSubject(Place place, Need need, boolean tuned) {
        Sink sink = need.sink();
        Map<String, Object> properties = new HashMap<>();
        properties.put("spring.main.banner-mode", "off");
        properties.put("spring.main.web-application-type", "none");
        properties.put("logging.level.root", "warn");
        properties.put("spring.data.redis.host", place.redis().getHost());
        properties.put("spring.data.redis.port", place.redis().getPort());
        if (tuned) {
            properties.put("rqueue.scheduler.scheduled.message.time.interval", 100);
            properties.put("rqueue.scheduler.max.message.count", 1000);
            properties.put("rqueue.job.enabled", false);
        }
        properties.put("benchmark.concurrency", need.queues() == 1 ? (tuned ? "20" : "4") : "1");
        properties.put(
                "benchmark.queues",
                IntStream.range(0, need.queues()).mapToObj(RqueueSubject::name).collect(Collectors.joining(",")));
        SpringApplicationBuilder application = new SpringApplicationBuilder(Application.class).properties(properties);
        if (tuned) {
            application.sources(Tuned.class);
        }
        if (sink != null) {
            application
                    .sources(Listening.class)
                    .initializers(started -> started.getBeanFactory().registerSingleton("sink", sink));
        }
        this.context = application.run();
        this.enqueuer = context.getBean(RqueueMessageEnqueuer.class);
        this.messages = context.getBean(RqueueMessageManager.class);
        this.redis = context.getBean(StringRedisTemplate.class);
        this.config = context.getBean(RqueueConfig.class);
        this.queues = need.queues();
        if (sink == null) {
            RqueueEndpointManager endpoints = context.getBean(RqueueEndpointManager.class);
            IntStream.range(0, need.queues()).forEach(queue -> endpoints.registerQueue(name(queue)));
        }
    }

    private static String name(int queue) {
        return "q" + queue;
    }

    @Override
    public void schedule(Task task) {
        // Rqueue refuses a due time that has passed.
        long delay = Math.max(1, task.dueAt() - System.currentTimeMillis());
        if (!enqueuer.enqueueIn(name(task.queue()), task.id(), task.payload(), delay)) {
            throw new IllegalStateException("Task " + task.id() + " was not stored");
        }
    }

    @Override
    public void scheduleAll(List<Task> tasks) {
        tasks.forEach(this::schedule);
    }

    @Override
    public boolean cancel(Task task) {
        return messages.deleteMessage(name(task.queue()), task.id());
    }

    /**
     * Returns the number of tasks that wait, are ready or are being handled. Includes deleted messages, which Rqueue
     * keeps until they are due, but not handled messages, which it keeps for half an hour.
     */
    @Override
    public long pending() {
        return IntStream.range(0, queues)
                .mapToObj(RqueueSubject::name)
                .mapToLong(queue -> orZero(redis.opsForList().size(config.getQueueName(queue)))
                        + orZero(redis.opsForZSet().zCard(config.getScheduledQueueName(queue)))
                        + orZero(redis.opsForZSet().zCard(config.getProcessingQueueName(queue))))
                .sum();
    }

    private static long orZero(@org.jspecify.annotations.Nullable Long count) {
        return (count == null) ? 0 : count;
    }

    @Override
    public void close() {
        context.close();
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    /**
     * Handles the tasks. Rqueue delivers a string together with the quotes and the class name that it has stored with
     * it.
     */
    static final class Listener {

        private final Sink sink;

        Listener(Sink sink) {
            this.sink = sink;
        }

        @RqueueListener(value = "${benchmark.queues}", concurrency = "${benchmark.concurrency}")
        public void handle(String payload) {
            int from = 0;
            while (!Character.isDigit(payload.charAt(from))) {
                from++;
            }
            sink.arrived(payload.substring(from));
        }
    }

    static class Tuned {

        @Bean
        SimpleRqueueListenerContainerFactory listenerContainerFactory() {
            SimpleRqueueListenerContainerFactory factory = new SimpleRqueueListenerContainerFactory();
            factory.setPollingInterval(1);
            return factory;
        }
    }

    static class Listening {

        @Bean
        Listener listener(Sink sink) {
            return new Listener(sink);
        }
    }
}
