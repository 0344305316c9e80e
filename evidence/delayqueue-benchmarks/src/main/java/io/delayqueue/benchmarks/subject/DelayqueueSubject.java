// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.subject;

import io.delayqueue.BatchFailedException;
import io.delayqueue.CancelOutcome;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.TaskIds;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.admin.QueueStats;
import io.delayqueue.benchmarks.server.BrokerQueue;
import io.delayqueue.benchmarks.server.Place;
import io.delayqueue.handler.TaskHandlerRegistry;
import io.delayqueue.internal.client.DelayQueueTemplate;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;

/** This library, with its starter and default settings: 4 threads, batches of 200, one shard. */
public final class DelayqueueSubject implements Subject {

    private static final int ATTEMPTS = 5;

    private final ConfigurableApplicationContext context;
    private final DelayQueueTemplate template;
    private final DelayQueueAdmin admin;
    private final LongFunction<@Nullable String> keys;

    DelayqueueSubject(Place place, Need need, Class<?>... more) {
        this(place, need, Map.of(), number -> null, more);
    }

    private DelayqueueSubject(
            Place place, Need need, Map<String, Object> others, LongFunction<@Nullable String> keys, Class<?>... more) {
        this.keys = keys;
        Class<?>[] sources = new Class<?>[more.length + 1];
        sources[0] = Application.class;
        System.arraycopy(more, 0, sources, 1, more.length);
        this.context = new SpringApplicationBuilder(sources)
                .properties(properties(place, need, others))
                .run();
        this.template = context.getBean(DelayQueueTemplate.class);
        this.admin = context.getBean(DelayQueueAdmin.class);
        Sink sink = need.sink();
        if (sink != null) {
            TaskHandlerRegistry handlers = context.getBean(TaskHandlerRegistry.class);
            for (int queue = 0; queue < need.queues(); queue++) {
                handlers.register(name(queue), String.class, task -> sink.arrived(task.payload()));
            }
        }
    }

    /** Creates a subject whose acquires are counted. */
    public static DelayqueueSubject counted(Place place, Need need) {
        return new DelayqueueSubject(place, need, AcquireCounts.class);
    }

    /** Creates a subject with additional settings. */
    public static DelayqueueSubject with(Place place, Need need, Map<String, Object> others) {
        return new DelayqueueSubject(place, need, others, number -> null);
    }

    /** Creates a subject whose tasks have keys, with additional settings. */
    public static DelayqueueSubject keyed(
            Place place, Need need, Map<String, Object> others, LongFunction<@Nullable String> keyOfNumber) {
        return new DelayqueueSubject(place, need, others, keyOfNumber);
    }

    /** Returns the number of due tasks that limits hold back. */
    public long heldBack() {
        return admin.statsByQueue().values().stream()
                .mapToLong(QueueStats::heldBack)
                .sum();
    }

    private static Map<String, Object> properties(Place place, Need need, Map<String, Object> others) {
        Map<String, Object> properties = new HashMap<>(others);
        properties.put("spring.main.banner-mode", "off");
        properties.put("spring.main.web-application-type", "none");
        properties.put("logging.level.root", "warn");
        // Workloads with a database create their applications themselves. This library's starter brings neither Spring
        // Data Redis nor Redisson, whose clients would run in every measurement.
        properties.merge(
                "spring.autoconfigure.exclude",
                "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration,"
                        + "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration,"
                        + "org.redisson.spring.starter.RedissonAutoConfigurationV4",
                (given, more) -> given + "," + more);
        properties.put("namastack.outbox.enabled", false);
        String address = place.redis().getHost() + ":" + place.redis().getPort();
        if (place.cluster()) {
            properties.put("spring.data.redis.cluster.nodes", address);
        } else {
            properties.put("spring.data.redis.url", "redis://" + address);
        }
        properties.put("delayqueue.key-prefix", need.name());
        for (int queue = 0; queue < need.queues(); queue++) {
            properties.put(property(queue, "shards"), need.shards());
        }
        BrokerQueue target = need.target();
        if (target != null) {
            properties.put("spring.rabbitmq.addresses", place.broker().toString());
            properties.put(property(0, "rabbit.exchange"), BrokerQueue.EXCHANGE);
            properties.put(property(0, "rabbit.routing-key"), target.name());
        }
        return properties;
    }

    private static String property(int queue, String rest) {
        return "delayqueue.queues." + name(queue) + "." + rest;
    }

    private static String name(int queue) {
        return "q" + queue;
    }

    /** Returns the acquires of a subject whose acquires are counted. */
    public AcquireCounts acquires() {
        return context.getBean(AcquireCounts.class);
    }

    @Override
    public void schedule(Task task) {
        template.schedule(request(task));
    }

    @Override
    public void scheduleAll(List<Task> tasks) {
        List<? extends ScheduleRequest<?>> requests =
                tasks.stream().map(this::request).toList();
        for (int attempt = 1; ; attempt++) {
            try {
                template.scheduleAll(requests);
                return;
            } catch (BatchFailedException ex) {
                // A call may time out on a busy machine; repeating the same requests is safe.
                if (attempt == ATTEMPTS) {
                    throw ex;
                }
            }
        }
    }

    private ScheduleRequest<?> request(Task task) {
        String key = keys.apply(task.number());
        return ScheduleRequest.to(name(task.queue()))
                .id(key == null ? task.id() : TaskIds.of(key, null, task.id()))
                .payload(task.payload())
                .dueAt(Instant.ofEpochMilli(task.dueAt()))
                .build();
    }

    @Override
    public boolean cancel(Task task) {
        return template.cancel(name(task.queue()), task.id()) == CancelOutcome.CANCELLED;
    }

    @Override
    public long pending() {
        return admin.statsByQueue().values().stream()
                .mapToLong(DelayqueueSubject::live)
                .sum();
    }

    @Override
    public long pending(int queue) {
        QueueStats stats = admin.statsByQueue().get(name(queue));
        return (stats == null) ? 0 : live(stats);
    }

    private static long live(QueueStats stats) {
        return stats.delayed() + stats.ready() + stats.leased() + stats.dead();
    }

    /** Stops or starts the intakes. */
    public void runIntakes(boolean run) {
        SmartLifecycle intakes = context.getBean("delayQueueRabbitIntakes", SmartLifecycle.class);
        if (run) {
            intakes.start();
        } else {
            intakes.stop();
        }
    }

    @Override
    public void close() {
        context.close();
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}
}
