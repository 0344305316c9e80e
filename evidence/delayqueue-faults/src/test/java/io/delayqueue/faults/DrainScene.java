// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.ScheduleRequest;
import io.delayqueue.TaskOutcome;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.admin.QueueStats;
import io.delayqueue.client.DelayQueueTemplate;
import io.delayqueue.rabbit.RabbitDeclaration;
import io.delayqueue.rabbit.RabbitRights;
import io.delayqueue.test.server.RabbitCluster;
import io.delayqueue.test.server.RabbitServer;
import io.delayqueue.test.server.RedisServer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.redis.core.StringRedisTemplate;

/** A real Redis that keeps every answered write, a real RabbitMQ, a producer in this JVM and drainers in others. */
final class DrainScene implements AutoCloseable {

    final RedisServer redis = RedisServer.available().config("appendfsync no").start();
    private final RedisOperator operator = new RedisOperator(redis);
    /** The only one, or the first of a cluster. */
    final RabbitServer rabbit;

    final DelayQueueTemplate template;
    final DelayQueueAdmin admin;
    private final ConfigurableApplicationContext producer;
    private final List<ApplicationProcess> drainers = new ArrayList<>();
    private final Runnable closeRabbit;
    private final List<String> rabbitSettings;

    DrainScene() {
        this(startRabbit());
    }

    private DrainScene(RabbitServer rabbit) {
        this(
                rabbit,
                rabbit::close,
                "--spring.rabbitmq.addresses=amqp://drain:secret@" + rabbit.host() + ":" + rabbit.port());
    }

    /** With a user that may declare what the application asks for, and publish there. */
    private static RabbitServer startRabbit() {
        RabbitDeclaration declaration = new RabbitDeclaration("drain", "direct", "drained", "drained", false, Map.of());
        RabbitRights rights = RabbitRights.of(Set.of("drain"), List.of(declaration));
        return RabbitServer.available()
                .user("drain", "secret", rights.configure(), rights.write(), rights.read())
                .start();
    }

    /** Drains into a quorum queue. */
    DrainScene(RabbitCluster cluster) {
        this(
                cluster.nodes().get(0),
                cluster::close,
                "--spring.rabbitmq.addresses=" + cluster.addresses(),
                "--delayqueue.queues.drain.rabbit.declare.quorum=true");
    }

    private DrainScene(RabbitServer rabbit, Runnable closeRabbit, String... rabbitSettings) {
        this.rabbit = rabbit;
        this.closeRabbit = closeRabbit;
        this.rabbitSettings = List.of(rabbitSettings);
        // declares the exchange and the queue, so that they are there before the first drainer; never scans
        List<String> settings = settings();
        settings.add("--delayqueue.queues.drain.trigger.auto-startup=false");
        this.producer = new SpringApplicationBuilder(DrainApplication.class)
                .profiles(DrainApplication.PROFILE)
                .web(WebApplicationType.NONE)
                .run(settings.toArray(String[]::new));
        this.template = producer.getBean(DelayQueueTemplate.class);
        this.admin = producer.getBean(DelayQueueAdmin.class);
    }

    private List<String> settings() {
        List<String> settings = new ArrayList<>(List.of("--spring.data.redis.url=" + redis.uri()));
        settings.addAll(rabbitSettings);
        return settings;
    }

    ApplicationProcess startDrainer(String... more) {
        List<String> arguments = settings();
        arguments.addAll(List.of(more));
        ApplicationProcess drainer = ApplicationProcess.start(DrainApplication.class, arguments);
        drainers.add(drainer);
        return drainer;
    }

    ApplicationProcess awaitStarted(ApplicationProcess drainer) {
        await("a drainer's start")
                .atMost(Duration.ofSeconds(60))
                .failFast("the drainer ended", () -> !drainer.isAlive())
                .until(() -> drainer.hasLogged(DrainApplication.STARTED));
        return drainer;
    }

    /** Waits until the queue holds nothing that could still be delivered. */
    void awaitDrained(Duration atMost) {
        await("the drain")
                .atMost(atMost)
                .pollInterval(Duration.ofMillis(100))
                .ignoreExceptions()
                .until(() -> {
                    QueueStats stats = admin.stats(DrainApplication.QUEUE);
                    return stats.delayed() + stats.ready() + stats.leased() == 0;
                });
    }

    /** Waits until at least this many tasks are gone from the store, looking as often as it can. */
    void awaitGone(long tasks, long scheduled) {
        await("the middle of the drain")
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(1))
                .until(() -> liveTasks() <= scheduled - tasks);
    }

    private long liveTasks() {
        QueueStats stats = admin.stats(DrainApplication.QUEUE);
        return stats.delayed() + stats.ready() + stats.leased();
    }

    /** Schedules so many tasks that are due then. */
    Set<String> schedule(int count, Instant due) {
        List<ScheduleRequest> requests = new ArrayList<>(count);
        Set<String> ids = new LinkedHashSet<>();
        for (int i = 0; i < count; i++) {
            ScheduleRequest request = ScheduleRequest.to(DrainApplication.QUEUE)
                    .payload("task " + i)
                    .dueAt(due)
                    .build();
            requests.add(request);
            ids.add(request.id());
        }
        assertThat(template.scheduleAll(requests)).allMatch(TaskOutcome::isStored);
        assertThat(ids).hasSize(count);
        return ids;
    }

    /** The ids under lease right now. */
    Set<String> leasedIds() {
        return redisTemplate().<String, String>opsForHash().keys("dq:{drain:0}:leases");
    }

    /** The ids of which a delivery began whose end is not known. */
    Set<String> uncertainIds() {
        Set<String> ids = new HashSet<>();
        redisTemplate()
                .<String, String>opsForHash()
                .entries("dq:{drain:0}:attempts")
                .forEach((id, record) -> {
                    if (record.matches("1:\\d+:\\d+:\\d+:1:.*")) {
                        ids.add(id);
                    }
                });
        return ids;
    }

    /** Deletes the keys of the queue. */
    void flushRedis() {
        Set<String> keys = redisTemplate().keys("dq:{drain:*");
        redisTemplate().delete(keys);
    }

    private StringRedisTemplate redisTemplate() {
        return operator.template();
    }

    void stopDrainers() {
        drainers.forEach(ApplicationProcess::close);
        drainers.clear();
    }

    @Override
    public void close() {
        stopDrainers();
        producer.close();
        closeRabbit.run();
        operator.close();
        redis.close();
    }
}
