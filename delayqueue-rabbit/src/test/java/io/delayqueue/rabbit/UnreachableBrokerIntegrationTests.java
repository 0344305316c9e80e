// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.delivery.Delivery;
import io.delayqueue.delivery.OpenDelivery;
import io.delayqueue.delivery.Outcome;
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
import io.delayqueue.internal.rabbit.publisher.PublishObservations;
import io.delayqueue.internal.rabbit.publisher.RabbitPublisher;
import io.delayqueue.internal.rabbit.trigger.OutgoingMapper;
import io.delayqueue.internal.sharding.Shardings;
import io.delayqueue.internal.store.WakeSignals;
import io.delayqueue.internal.trigger.TriggerContext;
import io.delayqueue.test.junit.DelayQueueServers;
import io.delayqueue.test.server.RedisServer;
import io.delayqueue.trigger.ScanTrigger;
import io.delayqueue.trigger.TestBeans;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;

/** Brokers that take a connection and then say nothing, so that connecting takes all of its time. */
@DelayQueueServers
class UnreachableBrokerIntegrationTests {

    private static final int BROKERS = 6;
    private static final int TASKS = 60;
    private static final RabbitAddress NOWHERE = new RabbitAddress("x", "x");

    private final List<AutoCloseable> open = new ArrayList<>();
    private final ServerSocket blackHole;
    private final URI uri;
    private final Scenario scenario;
    private final Queue<Duration> lateness = new ConcurrentLinkedQueue<>();

    UnreachableBrokerIntegrationTests(RedisServer redis) throws Exception {
        this.blackHole = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        this.uri = URI.create("amqp://guest:guest@127.0.0.1:" + blackHole.getLocalPort());
        this.scenario = new Scenario(redis, uri);
    }

    @BeforeEach
    void keepToClose() {
        open.add(blackHole);
        open.add(scenario);
    }

    @AfterEach
    void close() throws Exception {
        for (int last = open.size() - 1; last >= 0; last--) {
            open.get(last).close();
        }
    }

    @Test
    void queuesOfHandlersAreOnTimeWhileBrokersOfOthersCannotBeReached() throws Exception {
        TriggerContext context = context();
        for (int broker = 0; broker < BROKERS; broker++) {
            start(toBroker(context, "rabbit-" + broker));
        }
        start(toHandler(context));
        for (int task = 0; task < TASKS; task++) {
            scenario.schedule("task-" + task, "text/plain", Map.of(), "x");
            Thread.sleep(100);
        }

        await().atMost(Duration.ofSeconds(20)).until(() -> lateness.size() == TASKS);
        assertThat(lateness)
                .filteredOn(late -> late.compareTo(Duration.ofSeconds(1)) >= 0)
                .as("late by a time-out of connecting, and not by a machine that stood still for once")
                .hasSizeLessThan(TASKS / 4);
    }

    @Test
    void destroyWhileConnectingDoesNotWaitForWhatItHasNotTriedYet() throws Exception {
        CountDownLatch connecting = new CountDownLatch(1);
        List<String> addresses = new ArrayList<>();
        for (int broker = 0; broker < BROKERS; broker++) {
            ServerSocket hole = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
            open.add(hole);
            tellOfFirst(hole, connecting);
            addresses.add("127.0.0.1:" + hole.getLocalPort());
        }
        CachingConnectionFactory factory = new CachingConnectionFactory();
        factory.setAddresses(String.join(",", addresses));
        RabbitPublisher publisher = new RabbitPublisher(factory, RabbitPublisherOptions.DEFAULT);
        publisher
                .destination(
                        new OutgoingMapper(delivery -> NOWHERE), Scenario.PUBLISHING, PublishObservations.NONE::start)
                .unavailableFor();
        assertThat(connecting.await(10, TimeUnit.SECONDS)).isTrue();

        long start = System.nanoTime();
        publisher.destroy();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(2));
    }

    /** The driver uses the addresses in any order. Connections get no reply. */
    private static void tellOfFirst(ServerSocket hole, CountDownLatch connecting) {
        Thread thread = new Thread(
                () -> {
                    try {
                        hole.accept();
                        connecting.countDown();
                    } catch (IOException ex) {
                        // the test is over
                    }
                },
                "hole");
        thread.setDaemon(true);
        thread.start();
    }

    /** All of one engine, whose few scanning threads they share. */
    private TriggerContext context() {
        List<QueueSettings> queues = new ArrayList<>();
        IntStream.range(0, BROKERS).forEach(broker -> queues.add(settings("rabbit-" + broker)));
        queues.add(settings(scenario.queue));
        QueueCatalog catalog = new QueueCatalog(queues);
        Engine engine = new Engine(scenario.store, Shardings.fixed(catalog), new Scheduler(), EngineHooks.NONE);
        open.add(engine);
        return new TriggerContext(engine, catalog, WakeSignals.NONE, InterceptorChain.EMPTY, false);
    }

    private static QueueSettings settings(String queue) {
        TriggerSettings trigger =
                new TriggerSettings(true, 1, null, 10, Duration.ofMillis(100), Duration.ofSeconds(10));
        RetrySettings retry = new RetrySettings(2, Duration.ofMillis(50), 2, Duration.ofSeconds(1), 0.2);
        return QueueSettingsBuilder.of(queue)
                .lease(Duration.ofSeconds(20))
                .retry(retry)
                .trigger(trigger)
                .build();
    }

    private ScanTrigger toBroker(TriggerContext context, String queue) {
        RabbitPublisher publisher =
                new RabbitPublisher(Scenario.factory(uri), RabbitPublisherOptions.DEFAULT.withConnectionName(queue));
        open.add(publisher::destroy);
        RabbitScanTrigger trigger = new RabbitScanTrigger(queue) {
            @Override
            protected RabbitAddress address(Delivery delivery) {
                return new RabbitAddress("any", queue);
            }
        };
        trigger.setBeanFactory(TestBeans.of(context, publisher));
        return trigger;
    }

    private ScanTrigger toHandler(TriggerContext context) {
        TaskDestination handler = new TaskDestination() {
            @Override
            public void deliver(List<OpenDelivery> deliveries) {
                for (OpenDelivery delivery : deliveries) {
                    lateness.add(delivery.lateness());
                    delivery.settle(Outcome.delivered());
                }
            }
        };
        ScanTrigger trigger = new ScanTrigger(scenario.queue) {
            @Override
            protected TaskDestination createDestination() {
                return handler;
            }
        };
        trigger.setBeanFactory(TestBeans.of(context));
        return trigger;
    }

    private void start(ScanTrigger trigger) {
        open.add(trigger::destroy);
        trigger.start();
    }
}
