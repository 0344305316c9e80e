// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.delivery.TaskDestination;
import io.delayqueue.handler.RetrySettings;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.engine.Engine;
import io.delayqueue.internal.engine.EngineHooks;
import io.delayqueue.internal.engine.InterceptorChain;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.QueueSettingsBuilder;
import io.delayqueue.internal.queue.TriggerSettings;
import io.delayqueue.internal.rabbit.publisher.PublishObservations;
import io.delayqueue.internal.rabbit.trigger.MessageMaker;
import io.delayqueue.internal.rabbit.trigger.OutgoingMapper;
import io.delayqueue.internal.sharding.Shardings;
import io.delayqueue.internal.store.WakeSignals;
import io.delayqueue.internal.trigger.TriggerContext;
import io.delayqueue.rabbit.BrokerProxy.Fate;
import io.delayqueue.test.junit.DelayQueueServers;
import io.delayqueue.test.server.RabbitServer;
import io.delayqueue.test.server.RedisServer;
import io.delayqueue.trigger.ScanTrigger;
import io.delayqueue.trigger.TestBeans;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Trials of messages that made RabbitMQ close the connection, with another failure at the same time. */
@DelayQueueServers(rabbit = DelayQueueServers.Rabbit.REAL)
class TrialsIntegrationTests {

    private static final Duration SOON = Duration.ofSeconds(20);
    private static final Duration A_MOMENT = Duration.ofSeconds(2);

    private final RedisServer redis;
    private final RabbitServer rabbit;
    private final Broker broker;
    private final BrokerProxy proxy;
    private final RabbitMessageCustomizer careless = (properties, delivery) -> {
        if (delivery.id().startsWith("bad")) {
            leaseEnd = System.nanoTime() + delivery.leaseRemaining().toNanos();
            properties.setHeader("ratio", Double.NaN);
        }
    };
    private Scenario scenario;
    private String target;
    private volatile long leaseEnd;

    TrialsIntegrationTests(RedisServer redis, RabbitServer rabbit) throws Exception {
        this.redis = redis;
        this.rabbit = rabbit;
        this.broker = new Broker(rabbit.uri());
        this.proxy = new BrokerProxy(rabbit.publisherUri());
    }

    @BeforeEach
    void declare() throws Exception {
        target = broker.declare(Map.of());
        scenario = new Scenario(redis, proxy.uri());
    }

    @AfterEach
    void close() throws Exception {
        scenario.close();
        proxy.close();
    }

    @Test
    void closeWhileMessagesWaitForTheirTrialsSendsNoneOfThem() throws Exception {
        AtomicBoolean closed = new AtomicBoolean();
        CountDownLatch someTried = new CountDownLatch(5);
        AtomicInteger afterwards = new AtomicInteger();
        proxy.watch((onTrial, sent) -> {
            if (onTrial && sent.contains("good-")) {
                someTried.countDown();
                afterwards.addAndGet(closed.get() ? 1 : 0);
            }
            return Fate.PASSES;
        });
        proxy.delayTrials(Duration.ofMillis(100));
        scheduleBadAmong(900);
        TaskDestination destination = destination();
        scenario.start(destination);
        assertThat(someTried.await(20, TimeUnit.SECONDS)).isTrue();

        destination.close();
        Thread.sleep(1_000); // what was being written, on a slow machine too
        closed.set(true);
        Thread.sleep(A_MOMENT.toMillis());
        assertThat(afterwards).hasValue(0);
    }

    @Test
    void stopWhileMessagesWaitForTheirTrialsSendsNoneOfThemAfterwards() throws Exception {
        AtomicBoolean stopped = new AtomicBoolean();
        CountDownLatch someTried = new CountDownLatch(5);
        AtomicInteger afterwards = new AtomicInteger();
        proxy.watch((onTrial, sent) -> {
            if (onTrial && sent.contains("good-")) {
                someTried.countDown();
                afterwards.addAndGet(stopped.get() ? 1 : 0);
            }
            return Fate.PASSES;
        });
        proxy.delayTrials(Duration.ofMillis(100));
        scheduleBadAmong(900);
        TriggerSettings impatient =
                new TriggerSettings(true, 4, null, 200, Duration.ofMillis(200), Duration.ofSeconds(1));
        RetrySettings retry = new RetrySettings(2, Duration.ofMillis(50), 2, Duration.ofSeconds(1), 0.2);
        QueueCatalog queues = new QueueCatalog(List.of(QueueSettingsBuilder.of(scenario.queue)
                .lease(Duration.ofSeconds(20))
                .retry(retry)
                .trigger(impatient)
                .build()));
        try (Engine engine = new Engine(scenario.store, Shardings.fixed(queues), new Scheduler(), EngineHooks.NONE)) {
            TaskDestination destination = destination();
            ScanTrigger trigger = new ScanTrigger(scenario.queue) {
                @Override
                protected TaskDestination createDestination() {
                    return destination;
                }
            };
            trigger.setBeanFactory(
                    TestBeans.of(new TriggerContext(engine, queues, WakeSignals.NONE, InterceptorChain.EMPTY, false)));
            trigger.start();
            assertThat(someTried.await(20, TimeUnit.SECONDS)).isTrue();

            trigger.stop();
            stopped.set(true);
            Thread.sleep(A_MOMENT.toMillis());
            trigger.destroy();
        }
        assertThat(afterwards).hasValue(0);
    }

    @Test
    void deliverWhileChannelsOfTheBrokerCrashCountsNothing() throws Exception {
        RabbitScanTrigger trigger = start();
        scenario.schedule("warm-", 10, 100);
        scenario.awaitEmpty(SOON);

        Thread crashes = new Thread(() -> rabbit.ctl(
                "eval",
                "[begin [exit(P, boom) || P <- rabbit_channel:list_local()], timer:sleep(15) end"
                        + " || _ <- lists:seq(1,150)], ok."));
        crashes.start();
        for (int i = 0; i < 60; i++) {
            scenario.schedule("good-" + i + "-", 50, 100);
            Thread.sleep(50);
        }
        crashes.join();
        scenario.awaitEmpty(SOON);
        trigger.destroy();

        assertThat(scenario.stats().dead()).isZero();
        assertThat(broker.firstAttempts(target)).hasSize(3010);
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void deliverWhenThereIsNoSecondConnectionWaitsLongerEachTimeAndSaysSoOnce(CapturedOutput output) throws Exception {
        scenario.close();
        scenario = Scenario.patient(redis, proxy.uri());
        proxy.watch((onTrial, sent) -> onTrial ? Fate.BREAKS : Fate.PASSES);
        scenario.schedule("bad", "text/plain", Map.of(), "x");
        scenario.schedule("good-", 40, 100);
        RabbitScanTrigger trigger = start();
        await().atMost(SOON).until(() -> proxy.trials() > 0);
        for (int i = 0; i < 30; i++) {
            scenario.schedule("good-" + i + "-", 5, 10);
            Thread.sleep(100);
        }

        assertThat(proxy.trials()).isBetween(1, 15);
        assertThat(proxy.commons()).isLessThan(15);
        assertThat(scenario.find("bad").failures()).isZero();
        assertThat(output.getAll().lines().filter(line -> line.contains("second connection to RabbitMQ")))
                .hasSize(1);

        proxy.watch((onTrial, sent) -> Fate.PASSES);
        assertThat(scenario.awaitDead("bad")).startsWith("the broker closed the connection because of it: ");
        scenario.awaitEmpty(SOON);
        trigger.destroy();
        assertThat(broker.firstAttempts(target)).hasSize(190);
    }

    @Test
    void deliverWhenATrialConnectionFreezesMakesAnotherAtOnce() throws Exception {
        AtomicBoolean first = new AtomicBoolean(true);
        proxy.watch((onTrial, sent) ->
                onTrial && sent.contains("good-") && first.compareAndSet(true, false) ? Fate.FREEZES : Fate.PASSES);
        proxy.dropConfirmsUntilFirstTrial(); // or there may be no good one left to try alone
        scenario.schedule("bad", "text/plain", Map.of(), "x");
        scenario.schedule("good-", 60, 100);
        RabbitScanTrigger trigger = start();

        scenario.awaitEmpty(SOON);
        trigger.destroy();
        assertThat(first).isFalse();
        assertThat(broker.firstAttempts(target)).hasSize(60);
        assertThat(scenario.find("bad").failures()).isEqualTo(3);
    }

    @Test
    void deliverWhenATrialBringsNoAnswerTriesTheMessageAloneAgain() throws Exception {
        AtomicInteger sentAlone = new AtomicInteger();
        proxy.watch((onTrial, sent) ->
                onTrial && sent.contains("ratio") && sentAlone.incrementAndGet() == 3 ? Fate.FREEZES : Fate.PASSES);
        scenario.schedule("bad", "text/plain", Map.of(), "x");
        RabbitScanTrigger trigger = start();

        scenario.awaitDead("bad");
        trigger.destroy();
        assertThat(sentAlone.get()).isGreaterThan(3);
        assertThat(proxy.commons()).as("it closed the first of them").isLessThanOrEqualTo(2);
    }

    @Test
    void deliverWhenConnectingTakesLongSendsNothingWithTooShortALease() throws Exception {
        scenario.close();
        scenario = new Scenario(redis, proxy.uri(), 3, Scenario.CONFIRM_TIMEOUT.multipliedBy(2), 4);
        Queue<Duration> left = new ConcurrentLinkedQueue<>();
        proxy.watch((onTrial, sent) -> {
            if (onTrial && sent.contains("ratio")) {
                left.add(Duration.ofNanos(leaseEnd - System.nanoTime()));
            }
            return Fate.PASSES;
        });
        proxy.delayTrials(Duration.ofMillis(600));
        scenario.schedule("bad", "text/plain", Map.of(), "x");
        RabbitScanTrigger trigger = start();

        await().atMost(SOON).until(() -> proxy.trials() > 2); // two are over
        trigger.destroy();
        assertThat(left).allMatch(lease -> lease.compareTo(Scenario.CONFIRM_TIMEOUT) >= 0);
    }

    private void scheduleBadAmong(int goodOnes) {
        scenario.schedule("good-a-", goodOnes, 100);
        scenario.schedule("bad", "text/plain", Map.of(), "x");
        scenario.schedule("good-b-", goodOnes, 100);
    }

    private TaskDestination destination() {
        RabbitAddress address = new RabbitAddress(target, target);
        MessageMaker maker = new MessageMaker(List.of(careless), null);
        return scenario.publisher.destination(
                new OutgoingMapper(delivery -> address, maker, address),
                Scenario.PUBLISHING,
                PublishObservations.NONE::start);
    }

    private RabbitScanTrigger start() {
        return scenario.start(target, target, careless);
    }
}
