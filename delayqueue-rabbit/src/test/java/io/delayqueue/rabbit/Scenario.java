// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.CancelOutcome;
import io.delayqueue.ConflictPolicy;
import io.delayqueue.Due;
import io.delayqueue.TaskContent;
import io.delayqueue.TaskState;
import io.delayqueue.delivery.Delivery;
import io.delayqueue.delivery.OpenDelivery;
import io.delayqueue.delivery.TaskDestination;
import io.delayqueue.handler.RetrySettings;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.engine.Engine;
import io.delayqueue.internal.engine.EngineHooks;
import io.delayqueue.internal.engine.InterceptorChain;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.QueueSettings;
import io.delayqueue.internal.queue.QueueSettingsBuilder;
import io.delayqueue.internal.queue.TriggerSettings;
import io.delayqueue.internal.rabbit.connection.RabbitPublisherOptions;
import io.delayqueue.internal.rabbit.isolation.PublishingOptions;
import io.delayqueue.internal.rabbit.publisher.PublishObservations;
import io.delayqueue.internal.rabbit.publisher.RabbitPublisher;
import io.delayqueue.internal.rabbit.publisher.RabbitRoute;
import io.delayqueue.internal.rabbit.publisher.RabbitRoutes;
import io.delayqueue.internal.rabbit.publisher.TriggerExtensions;
import io.delayqueue.internal.rabbit.trigger.OutgoingMapper;
import io.delayqueue.internal.redis.RedisConnections;
import io.delayqueue.internal.redis.RedisKeys;
import io.delayqueue.internal.redis.RedisTarget;
import io.delayqueue.internal.sharding.Sharding;
import io.delayqueue.internal.sharding.Shardings;
import io.delayqueue.internal.store.NewTask;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.ShardStats;
import io.delayqueue.internal.store.StoreCalls;
import io.delayqueue.internal.store.StoredTask;
import io.delayqueue.internal.store.TaskStore;
import io.delayqueue.internal.store.TestStores;
import io.delayqueue.internal.store.WakeSignals;
import io.delayqueue.internal.trigger.TriggerContext;
import io.delayqueue.test.server.RedisServer;
import io.delayqueue.trigger.ScanTrigger;
import io.delayqueue.trigger.TestBeans;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.beans.factory.BeanFactory;

/** A separate queue with its Redis store, settler, publisher and trigger. */
final class Scenario implements AutoCloseable {

    static final Duration CONFIRM_TIMEOUT = Duration.ofSeconds(2);

    static final Duration RPC_TIMEOUT = Duration.ofSeconds(2);

    /** No test disturbs Redis, and on a busy machine the first connection has taken more than two seconds. */
    private static final Duration REDIS_TIMEOUT = Duration.ofSeconds(10);

    static final PublishingOptions PUBLISHING =
            new PublishingOptions(CONFIRM_TIMEOUT, RabbitScanTrigger.BATCHES_AHEAD, false);

    private static final int BATCH = 200;

    final String queue = "q-" + UUID.randomUUID().toString().substring(0, 8);
    final TaskStore store;
    final RabbitPublisher publisher;
    final TriggerContext context;
    final List<Timed> calls = new ArrayList<>();

    private final Shard shard = new Shard(queue, 0);
    private final URI redisUri;
    private final RedisConnections redis;
    final Shardings shardings;
    private final Engine engine;
    private final List<ScanTrigger> triggers = new ArrayList<>();
    private final AtomicLong requestIds = new AtomicLong();
    private final UUID run = UUID.randomUUID();

    Scenario(RedisServer redisServer, URI broker) {
        this(redisServer, broker, 3, Duration.ofSeconds(20), 4);
    }

    /** Returns a scenario in which late confirms of a slow broker do not count as failures. */
    static Scenario patient(RedisServer redisServer, URI broker) {
        return new Scenario(
                redisServer, broker, 3, Duration.ofSeconds(60), 4, InterceptorChain.EMPTY, Duration.ofSeconds(20));
    }

    Scenario(RedisServer redisServer, URI broker, int maxAttempts, Duration lease, int threads) {
        this(redisServer, broker, maxAttempts, lease, threads, InterceptorChain.EMPTY);
    }

    Scenario(
            RedisServer redisServer,
            URI broker,
            int maxAttempts,
            Duration lease,
            int threads,
            InterceptorChain interceptors) {
        this(redisServer, broker, maxAttempts, lease, threads, interceptors, CONFIRM_TIMEOUT);
    }

    private Scenario(
            RedisServer redisServer,
            URI broker,
            int maxAttempts,
            Duration lease,
            int threads,
            InterceptorChain interceptors,
            Duration confirmTimeout) {
        this.redisUri = redisServer.adminUri();
        this.redis =
                new RedisConnections(() -> RedisTarget.of(RedisURI.create(redisServer.uri())), REDIS_TIMEOUT, 100_000);
        this.store = TestStores.of(redis, new RedisKeys("t" + run), REDIS_TIMEOUT);
        this.publisher = new RabbitPublisher(
                factory(broker),
                new RabbitPublisherOptions(
                        confirmTimeout,
                        RPC_TIMEOUT,
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(2),
                        queue));
        RetrySettings retry = new RetrySettings(maxAttempts - 1, Duration.ofMillis(50), 2, Duration.ofSeconds(1), 0.2);
        TriggerSettings trigger =
                new TriggerSettings(true, threads, null, BATCH, Duration.ofMillis(200), Duration.ofSeconds(10));
        QueueSettings settings = QueueSettingsBuilder.of(queue)
                .lease(lease)
                .retry(retry)
                .trigger(trigger)
                .build();
        QueueCatalog queues = new QueueCatalog(List.of(settings));
        this.shardings = Shardings.fixed(queues);
        this.engine = new Engine(store, shardings, new Scheduler(), EngineHooks.NONE);
        this.context = new TriggerContext(engine, queues, WakeSignals.NONE, interceptors, false);
        awaitConnection();
    }

    /** The first connection of a process may take longer than a call may. */
    private void awaitConnection() {
        await().pollDelay(Duration.ZERO)
                .atMost(Duration.ofSeconds(30))
                .ignoreExceptions()
                .until(() -> stats().live() == 0);
    }

    /** Adds a shard to the queue whose calls fail. */
    void addDamagedShard() {
        RedisClient client = RedisClient.create(RedisURI.create(redisUri));
        client.connect().sync().set("t" + run + ":{" + queue + ":1}:dead", "x");
        client.shutdown();
        shardings.adopt(queue, new Sharding(2, 2, 2, 0));
    }

    static CachingConnectionFactory factory(URI broker) {
        CachingConnectionFactory factory = new CachingConnectionFactory(broker.getHost(), broker.getPort());
        String[] user = broker.getUserInfo().split(":");
        factory.setUsername(user[0]);
        factory.setPassword(user[1]);
        return factory;
    }

    /** A started trigger to this exchange with this routing key. */
    RabbitScanTrigger start(String exchange, String routingKey) {
        return start(exchange, delivery -> routingKey);
    }

    RabbitScanTrigger start(String exchange, Function<Delivery, String> routingKeys) {
        RabbitScanTrigger trigger = trigger(exchange, routingKeys);
        trigger.start();
        return trigger;
    }

    /** Starts a trigger as an application configures it, with a customizer. */
    RabbitScanTrigger start(String exchange, String routingKey, RabbitMessageCustomizer customizer) {
        RabbitScanTrigger trigger = new RabbitScanTrigger(queue) {};
        start(
                trigger,
                new TriggerExtensions(List.of(customizer), List.of()),
                new RabbitRoutes(Map.of(queue, new RabbitRoute(exchange, routingKey))));
        return trigger;
    }

    /** What a trigger finds in an application that also has these beans. */
    BeanFactory beans(Object... more) {
        List<Object> beans = new ArrayList<>(List.of(more));
        beans.add(context);
        beans.add(publisher);
        return TestBeans.of(beans);
    }

    void start(RabbitScanTrigger trigger, Object... moreBeans) {
        trigger.setBeanFactory(beans(moreBeans));
        triggers.add(trigger);
        trigger.start();
    }

    RabbitScanTrigger trigger(String exchange, Function<Delivery, String> routingKeys) {
        RabbitScanTrigger trigger = new RabbitScanTrigger(queue) {
            @Override
            protected RabbitAddress address(Delivery delivery) {
                return new RabbitAddress(exchange, routingKeys.apply(delivery));
            }
        };
        trigger.setBeanFactory(beans());
        triggers.add(trigger);
        return trigger;
    }

    /** Tasks 0 to count - 1, due now. */
    void schedule(int count, int payloadBytes) {
        schedule("task-", count, payloadBytes);
    }

    void schedule(String idPrefix, int count, int payloadBytes) {
        List<NewTask> tasks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            tasks.add(task(idPrefix + i, "application/octet-stream", Map.of(), new byte[payloadBytes]));
            int most = Math.max(1, Math.min(TaskStore.MAX_BATCH, 1_000_000 / Math.max(1, payloadBytes)));
            if (tasks.size() == most || i == count - 1) {
                StoreCalls.schedule(store, shard, tasks).join();
                tasks = new ArrayList<>();
            }
        }
    }

    void schedule(String id, String contentType, Map<String, String> headers, String payload) {
        StoreCalls.schedule(
                        store, shard, List.of(task(id, contentType, headers, payload.getBytes(StandardCharsets.UTF_8))))
                .join();
    }

    private NewTask task(String id, String contentType, Map<String, String> headers, byte[] payload) {
        byte[] requestId = ByteBuffer.allocate(16)
                .putLong(run.getMostSignificantBits())
                .putLong(requestIds.incrementAndGet())
                .array();
        return new NewTask(
                id,
                requestId,
                Due.after(Duration.ZERO),
                ConflictPolicy.REPLACE,
                new TaskContent(contentType, headers, payload),
                0);
    }

    ShardStats stats() {
        return store.shards().stats(shard).join();
    }

    StoredTask find(String id) {
        return store.tasks().find(shard, id).join().orElseThrow();
    }

    boolean isThere(String id) {
        return store.tasks().find(shard, id).join().isPresent();
    }

    /**
     * Redrives and cancels a dead task and returns the outcome: in flight, if one of its deliveries may have arrived.
     */
    CancelOutcome redriveAndCancel(String id) {
        redrive(id);
        return StoreCalls.cancel(store, shard, id).join();
    }

    void redrive(String id) {
        StoreCalls.redrive(store, shard, StoreCalls.dueNow(List.of(id))).join();
    }

    void awaitEmpty(Duration limit) {
        await().atMost(limit).untilAsserted(() -> assertThat(stats().live()).isZero());
    }

    /** The reason of a task that died. */
    String awaitDead(String id) {
        await().atMost(Duration.ofSeconds(40))
                .untilAsserted(() -> assertThat(find(id).state()).isEqualTo(TaskState.DEAD));
        return find(id).lastReason();
    }

    /** A started trigger that notes how long its destination keeps each thread. */
    void startTimed(Function<Delivery, RabbitAddress> addresses) {
        OutgoingMapper mapper = new OutgoingMapper(addresses);
        start(timed(publisher.destination(mapper, PUBLISHING, PublishObservations.NONE::start)));
    }

    /** A started trigger to this destination. */
    void start(TaskDestination destination) {
        ScanTrigger trigger = new ScanTrigger(queue) {
            @Override
            protected TaskDestination createDestination() {
                return destination;
            }
        };
        trigger.setBeanFactory(beans());
        triggers.add(trigger);
        trigger.start();
    }

    private TaskDestination timed(TaskDestination original) {
        return new TaskDestination() {
            @Override
            public void deliver(List<OpenDelivery> deliveries) {
                long start = System.nanoTime();
                try {
                    original.deliver(deliveries);
                } finally {
                    note(deliveries.size(), start);
                }
            }

            @Override
            public Duration unavailableFor() {
                long start = System.nanoTime();
                try {
                    return original.unavailableFor();
                } finally {
                    note(0, start);
                }
            }

            @Override
            public void close() {
                original.close();
            }
        };
    }

    private synchronized void note(int tasks, long start) {
        calls.add(new Timed(tasks, Duration.ofNanos(System.nanoTime() - start)));
    }

    /** How long the destination kept a thread, at most. */
    synchronized Duration longestCall() {
        return calls.stream().map(Timed::took).max(Duration::compareTo).orElse(Duration.ZERO);
    }

    @Override
    public void close() {
        triggers.forEach(ScanTrigger::destroy);
        publisher.destroy();
        engine.close();
        redis.close();
    }

    /** How long a call kept its thread. */
    record Timed(int tasks, Duration took) {}
}
