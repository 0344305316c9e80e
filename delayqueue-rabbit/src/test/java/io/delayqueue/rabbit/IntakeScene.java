// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import io.delayqueue.ListedTask;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.admin.TaskQuery;
import io.delayqueue.delivery.Delivery;
import io.delayqueue.handler.RetrySettings;
import io.delayqueue.internal.admin.TaskStoreAdmin;
import io.delayqueue.internal.client.ClientOptions;
import io.delayqueue.internal.client.DelayQueueTemplate;
import io.delayqueue.internal.codec.PayloadCodecs;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.engine.Engine;
import io.delayqueue.internal.engine.EngineHooks;
import io.delayqueue.internal.engine.InterceptorChain;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.QueueSettingsBuilder;
import io.delayqueue.internal.queue.TaskBounds;
import io.delayqueue.internal.queue.TriggerSettings;
import io.delayqueue.internal.rabbit.connection.RabbitPublisherOptions;
import io.delayqueue.internal.rabbit.intake.Intake;
import io.delayqueue.internal.rabbit.intake.IntakeConnection;
import io.delayqueue.internal.rabbit.intake.IntakeSettings;
import io.delayqueue.internal.rabbit.publisher.RabbitPublisher;
import io.delayqueue.internal.redis.RedisConnections;
import io.delayqueue.internal.redis.RedisKeys;
import io.delayqueue.internal.redis.RedisTarget;
import io.delayqueue.internal.sharding.Resharding;
import io.delayqueue.internal.sharding.Shardings;
import io.delayqueue.internal.store.TaskStore;
import io.delayqueue.internal.store.TestStores;
import io.delayqueue.internal.store.WakeSignals;
import io.delayqueue.internal.transaction.ChangeResult;
import io.delayqueue.internal.transaction.TaskChange;
import io.delayqueue.internal.transaction.TaskChanges;
import io.delayqueue.internal.trigger.TriggerContext;
import io.delayqueue.test.server.RedisServer;
import io.delayqueue.trigger.TestBeans;
import io.lettuce.core.RedisURI;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** An exchange whose messages an intake stores and a trigger publishes to the queue of a consumer. */
final class IntakeScene {

    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(2);
    private static final RabbitPublisherOptions OPTIONS = new RabbitPublisherOptions(
            Duration.ofSeconds(5),
            Duration.ofSeconds(5),
            Duration.ofSeconds(5),
            Duration.ofSeconds(10),
            Duration.ofMillis(500),
            "intake-scene");

    final String exchange = "x-" + UUID.randomUUID().toString().substring(0, 8);
    final IntakeSettings settings;
    final DelayQueueTemplate template;
    final DelayQueueAdmin admin;
    final Broker broker;

    private final URI uri;
    private final RedisConnections redis;
    private final Engine engine;
    private final TriggerContext context;
    private @Nullable RabbitPublisher publisher;
    private final List<Intake> intakes = new ArrayList<>();
    private final List<IntakeConnection> connections = new ArrayList<>();
    private final List<String> besides = new ArrayList<>();
    private final Connection connection;
    private final Channel channel;
    private @Nullable RabbitScanTrigger trigger;

    IntakeScene(RedisServer redisServer, URI uri, boolean taskHeaders) throws Exception {
        this.uri = uri;
        this.broker = new Broker(uri);
        String queue = "intake-" + exchange;
        this.settings = new IntakeSettings(
                exchange, exchange + ".intake", queue, exchange + ".due", "topic", Map.of(), taskHeaders);
        this.redis =
                new RedisConnections(() -> RedisTarget.of(RedisURI.create(redisServer.uri())), CALL_TIMEOUT, 100_000);
        TaskStore store = TestStores.of(redis, new RedisKeys("t" + UUID.randomUUID()), CALL_TIMEOUT);
        QueueCatalog queues = new QueueCatalog(List.of(QueueSettingsBuilder.of(queue)
                .lease(Duration.ofSeconds(20))
                .retry(new RetrySettings(1, Duration.ofMillis(50), 2, Duration.ofSeconds(1), 0))
                .trigger(new TriggerSettings(true, 1, null, 200, Duration.ofMillis(200), Duration.ofSeconds(10)))
                .build()));
        Shardings shardings = Shardings.fixed(queues);
        this.template = new DelayQueueTemplate(
                store,
                queues,
                shardings,
                new PayloadCodecs(List.of()),
                TaskBounds.DEFAULT,
                new ClientOptions(CALL_TIMEOUT, 10_000));
        this.admin = new TaskStoreAdmin(store, queues, shardings, new Resharding(store, shardings));
        this.engine = new Engine(store, shardings, new Scheduler(), EngineHooks.NONE);
        this.context = new TriggerContext(engine, queues, WakeSignals.NONE, InterceptorChain.EMPTY, false);
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(uri);
        this.connection = factory.newConnection();
        this.channel = connection.createChannel();
        channel.confirmSelect();
    }

    /** Starts an intake as another process would, with its own connection. */
    Intake startIntake() {
        return startIntake(changes -> changes);
    }

    /** @param around may fail or delay calls to Redis */
    Intake startIntake(UnaryOperator<TaskChanges> around) {
        IntakeConnection own = new IntakeConnection(Scenario.factory(uri), OPTIONS);
        connections.add(own);
        Intake intake = new Intake(settings, own, around.apply(template.changes()));
        intakes.add(intake);
        intake.start();
        return intake;
    }

    /** Starts another intake on the connection of the first one; producers publish to the exchange {@link #beside}. */
    Intake startIntakeBeside(String name, UnaryOperator<TaskChanges> around) {
        String other = beside(name);
        besides.add(other);
        IntakeSettings own = new IntakeSettings(
                other,
                other + ".intake",
                settings.delayQueue(),
                settings.exchange(),
                settings.exchangeType(),
                Map.of(),
                settings.taskHeaders());
        Intake intake = new Intake(own, connections.get(0), around.apply(template.changes()));
        intakes.add(intake);
        intake.start();
        return intake;
    }

    String beside(String name) {
        return exchange + "-" + name;
    }

    /** Starts one, and waits until producers and consumers can use its topology. */
    Intake startIntakeAndAwait() {
        Intake intake = startIntake();
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(intake.problem()).isNull());
        return intake;
    }

    void startTrigger() {
        startTrigger(uri);
    }

    /** @param user the user that publishes due messages */
    void startTrigger(URI user) {
        publisher = new RabbitPublisher(Scenario.factory(user), OPTIONS);
        trigger = new RabbitScanTrigger(settings.delayQueue()) {
            @Override
            protected RabbitAddress address(Delivery delivery) {
                throw new AssertionError("a stored message knows its address");
            }
        };
        trigger.setBeanFactory(TestBeans.of(context, publisher));
        trigger.start();
    }

    /** Returns a queue that gets all due messages. */
    String bindConsumer() throws Exception {
        String name = exchange + ".consumer";
        channel.queueDeclare(name, true, false, false, Map.of());
        channel.queueBind(name, settings.exchange(), "#");
        return name;
    }

    void publish(String routingKey, String body, Map<String, Object> headers) throws Exception {
        publish(
                routingKey,
                body,
                new AMQP.BasicProperties.Builder().headers(headers).build());
    }

    /** Publishes to the exchange of an intake {@linkplain #startIntakeBeside beside} the first one. */
    void publishTo(String name, String body, Map<String, Object> headers) throws Exception {
        channel.basicPublish(
                beside(name),
                "k",
                new AMQP.BasicProperties.Builder().headers(headers).build(),
                body.getBytes(StandardCharsets.UTF_8));
    }

    void publish(String routingKey, String body, AMQP.BasicProperties properties) throws Exception {
        channel.basicPublish(exchange, routingKey, properties, body.getBytes(StandardCharsets.UTF_8));
    }

    /** Waits until the broker has what was published. */
    void awaitConfirms() throws Exception {
        channel.waitForConfirmsOrDie(20_000);
    }

    /** Waits for this number of messages in a queue, and returns their bodies in order. */
    List<String> awaitBodies(String queue, int count) throws Exception {
        return awaitMessages(queue, count).stream()
                .map(message -> new String(message.getBody(), StandardCharsets.UTF_8))
                .toList();
    }

    List<GetResponse> awaitMessages(String queue, int count) throws Exception {
        List<GetResponse> all = new ArrayList<>();
        await().atMost(Duration.ofSeconds(30)).until(() -> {
            all.addAll(broker.drain(queue));
            return all.size() >= count;
        });
        return all;
    }

    void awaitStored(int count) {
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(tasks()).hasSize(count));
    }

    List<ListedTask> tasks() {
        return admin.liveTasks(settings.delayQueue(), TaskQuery.first(500)).content();
    }

    /** Returns the same changes, except that this function carries them out. */
    static TaskChanges around(TaskChanges changes, Function<List<TaskChange<?>>, List<ChangeResult>> carryOut) {
        return (TaskChanges) Proxy.newProxyInstance(
                TaskChanges.class.getClassLoader(), new Class<?>[] {TaskChanges.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("carryOut")) {
                        @SuppressWarnings("unchecked")
                        List<TaskChange<?>> calls = (List<TaskChange<?>>) arguments[0];
                        return carryOut.apply(calls);
                    }
                    try {
                        return method.invoke(changes, arguments);
                    } catch (InvocationTargetException ex) {
                        throw ex.getCause();
                    }
                });
    }

    /** Stops the intakes and closes their connections, as at the end of a process. */
    void stopIntakes() {
        intakes.forEach(Intake::stop);
        intakes.clear();
        connections.forEach(IntakeConnection::close);
        connections.clear();
    }

    void close() throws Exception {
        stopIntakes();
        if (trigger != null) {
            trigger.destroy();
            publisher.destroy();
        }
        engine.close();
        redis.close();
        for (String queue : List.of(settings.queue(), settings.rejectedQueue(), exchange + ".consumer")) {
            broker.delete(queue);
        }
        for (String other : besides) {
            broker.delete(other + ".intake");
            broker.delete(other + ".intake.rejected");
            broker.with(any -> any.exchangeDelete(other));
        }
        broker.with(any -> any.exchangeDelete(exchange));
        broker.with(any -> any.exchangeDelete(settings.exchange()));
        connection.abort(); // a test may have killed the broker
    }
}
