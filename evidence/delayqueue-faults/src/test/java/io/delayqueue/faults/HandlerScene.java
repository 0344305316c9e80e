// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults;

import io.delayqueue.FoundTask;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.TaskOutcome;
import io.delayqueue.admin.QueueStats;
import io.delayqueue.client.DelayQueueTemplate;
import io.delayqueue.faults.HandlerApplication.Kind;
import io.delayqueue.faults.HandlerApplication.Work;
import io.delayqueue.faults.HandlingHistory.Line;
import io.delayqueue.internal.admin.TaskStoreAdmin;
import io.delayqueue.test.server.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.redis.core.StringRedisTemplate;

/** A real Redis, a producer in this JVM, and handlers in others that write down what they do. */
final class HandlerScene implements AutoCloseable {

    static final String QUEUE = HandlerApplication.QUEUE;

    final DelayQueueTemplate template;
    final TaskStoreAdmin admin;
    private final RedisServer redis =
            RedisServer.available().config("appendfsync no").start();
    private final RedisOperator operator = new RedisOperator(redis);
    private final Path folder;
    private final ConfigurableApplicationContext producer;
    private final List<ApplicationProcess> processes = new CopyOnWriteArrayList<>();
    private final List<Path> histories = new CopyOnWriteArrayList<>();
    private final List<String> settings;

    HandlerScene(String... settings) {
        this(List.of(), settings);
    }

    /** One whose producer is configured in another way than the handlers. */
    HandlerScene(List<String> ofProducer, String... settings) {
        this.settings = List.of(settings);
        try {
            this.folder = Files.createTempDirectory("delayqueue-handlings-");
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
        List<String> arguments = arguments("producer");
        arguments.addAll(ofProducer);
        arguments.add("--delayqueue.queues.work.trigger.auto-startup=false");
        this.producer = new SpringApplicationBuilder(HandlerApplication.class)
                .profiles(HandlerApplication.PROFILE)
                .web(WebApplicationType.NONE)
                .run(arguments.toArray(String[]::new));
        this.template = producer.getBean(DelayQueueTemplate.class);
        this.admin = producer.getBean(TaskStoreAdmin.class);
    }

    private List<String> arguments(String name) {
        List<String> arguments = new ArrayList<>(settings);
        Path history = folder.resolve(name);
        histories.add(history);
        arguments.add("--spring.data.redis.url=" + redis.uri());
        arguments.add("--faults.history=" + history);
        return arguments;
    }

    ApplicationProcess start(String... more) {
        List<String> arguments = arguments("process-" + histories.size());
        arguments.addAll(List.of(more));
        ApplicationProcess process = ApplicationProcess.start(HandlerApplication.class, arguments);
        processes.add(process);
        return process;
    }

    ApplicationProcess startAndAwait(String... more) throws InterruptedException {
        ApplicationProcess process = start(more);
        process.awaitLogged("Started HandlerApplication");
        return process;
    }

    /** Returns the tasks by id. */
    Map<String, Work> schedule(int count, Kind kind, long millis) {
        List<ScheduleRequest> requests = new ArrayList<>();
        Map<String, Work> tasks = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
            ScheduleRequest request = ScheduleRequest.to(QUEUE)
                    .id(kind + "-" + i)
                    .payload(new Work(kind, millis))
                    .dueAt(Instant.now())
                    .build();
            requests.add(request);
            tasks.put(request.id(), new Work(kind, millis));
        }
        if (!template.scheduleAll(requests).stream().allMatch(TaskOutcome::isStored)) {
            throw new AssertionError("not all were stored");
        }
        return tasks;
    }

    long live() {
        QueueStats stats = admin.stats(QUEUE);
        return stats.delayed() + stats.ready() + stats.leased();
    }

    FoundTask<Work> find(String id) {
        return template.find(QUEUE, id, Work.class).orElse(null);
    }

    /** How many members the keys of this pattern's sets and hashes have, by key. */
    Map<String, Long> sizes(String pattern) {
        StringRedisTemplate redisTemplate = operator.template();
        Map<String, Long> sizes = new TreeMap<>();
        for (String key : redisTemplate.keys(pattern)) {
            switch (redisTemplate.type(key)) {
                case HASH -> sizes.put(key, redisTemplate.opsForHash().size(key));
                case ZSET -> sizes.put(key, redisTemplate.opsForZSet().size(key));
                default -> {}
            }
        }
        return sizes;
    }

    /** The processes that run now. */
    Set<Long> alive() {
        return processes.stream()
                .filter(ApplicationProcess::isAlive)
                .map(ApplicationProcess::pid)
                .collect(Collectors.toSet());
    }

    /** What all processes wrote, in the order of time. */
    List<Line> history() {
        return histories.stream()
                .flatMap(path -> HandlingHistory.read(path).stream())
                .sorted(Comparator.comparingLong(Line::millis))
                .toList();
    }

    @Override
    public void close() {
        processes.forEach(ApplicationProcess::close);
        producer.close();
        operator.close();
        redis.close();
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }
}
