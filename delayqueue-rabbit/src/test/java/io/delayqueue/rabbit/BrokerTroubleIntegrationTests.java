// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Address;
import io.delayqueue.test.junit.DelayQueueServers;
import io.delayqueue.test.server.RabbitServer;
import io.delayqueue.test.server.RedisServer;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/**
 * Failures of the broker during a drain: no task is lost, no attempt is wasted, no thread hangs, and no restart is
 * needed.
 */
@DelayQueueServers(rabbit = DelayQueueServers.Rabbit.REAL)
class BrokerTroubleIntegrationTests {

    /** Longer than a delivery may take with its time-outs. A hanging delivery would still have its lease then. */
    private static final Duration ALARM = Duration.ofSeconds(Integer.getInteger("delayqueue.test.alarm-seconds", 5));

    private static final int MANY = 8_000;
    private static final int LARGE = 256 * 1024;

    private final RabbitServer rabbit;
    private final Broker broker;
    private final Scenario scenario;
    private String target;

    BrokerTroubleIntegrationTests(RedisServer redis, RabbitServer rabbit) {
        this.rabbit = rabbit;
        this.broker = new Broker(rabbit.uri());
        this.scenario = new Scenario(redis, rabbit.publisherUri());
    }

    @BeforeEach
    void declare() throws Exception {
        target = broker.declare(Map.of());
    }

    @AfterEach
    void close() {
        scenario.close();
    }

    @Test
    void noChannelToBeHadPausesInsteadOfTakingAndReleasingTheSameTasks() throws Exception {
        var connections = scenario.publisher.connectionFactory();
        connections.getRabbitConnectionFactory().setRequestedChannelMax(1);
        assertThat(scenario.publisher.connect()).isTrue();
        var only = connections.createConnection().getDelegate().createChannel();
        scenario.schedule(10, 100);
        RabbitScanTrigger trigger = scenario.trigger(target, delivery -> target);
        int taken = 0;
        for (long end = System.nanoTime() + 1_000_000_000; System.nanoTime() < end; ) {
            taken += trigger.scanOnce(1000);
        }
        assertThat(taken).isBetween(10, 50);

        only.close();
        await().atMost(Duration.ofSeconds(20)).until(() -> {
            trigger.scanOnce(1000);
            return scenario.stats().live() == 0;
        });
        assertThat(broker.count(target)).isEqualTo(10);
    }

    @Test
    void connectionThatTheBrokerEndsWheneverItIsUsedIsMadeAnewAfterGrowingPauses() throws Exception {
        String user = rabbit.publisherUri().getUserInfo().split(":")[0];
        AtomicInteger connections = new AtomicInteger();
        scenario.publisher.connectionFactory().addConnectionListener(made -> connections.incrementAndGet());
        RabbitScanTrigger trigger = scenario.trigger(target, delivery -> target);
        scenario.schedule(10, 100);
        rabbit.ctl("set_user_limits", user, "{\"max-channels\": 0}");
        try {
            for (long end = System.nanoTime() + 2_000_000_000L; System.nanoTime() < end; ) {
                trigger.scanOnce(1000);
            }
            assertThat(connections).hasValueBetween(2, 6);
        } finally {
            rabbit.ctl("clear_user_limits", user, "all");
        }

        await().atMost(Duration.ofSeconds(20)).until(() -> {
            trigger.scanOnce(1000);
            return scenario.stats().live() == 0;
        });
        assertThat(broker.count(target)).isEqualTo(10);
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void connectWhenWhatTheApplicationConnectsByThrowsIsTriedAgainAndItsMessageIsNotLogged(CapturedOutput output) {
        AtomicBoolean isDown = new AtomicBoolean(true);
        URI uri = rabbit.publisherUri();
        scenario.publisher.connectionFactory().setAddressResolver(() -> {
            if (isDown.get()) {
                throw new IllegalStateException("no answer for the secret s3cr3t");
            }
            return List.of(new Address(uri.getHost(), uri.getPort()));
        });

        assertThat(scenario.publisher.isUnreachable()).isFalse();
        assertThat(scenario.publisher.connect()).isFalse();
        assertThat(scenario.publisher.isUnreachable()).isTrue();
        assertThat(output.getAll().lines().filter(line -> line.contains("WARN")))
                .anyMatch(line -> line.endsWith("waits for a connection: java.lang.IllegalStateException"))
                .noneMatch(line -> line.contains("s3cr3t"));
        isDown.set(false);
        await().until(scenario.publisher::connect);
        assertThat(scenario.publisher.isUnreachable()).isFalse();
    }

    @Test
    void memoryAlarmWithSmallPayloads() throws Exception {
        scenario.schedule(MANY, 100);
        scenario.startTimed(delivery -> new RabbitAddress(target, target));
        await().until(() -> scenario.stats().live() < MANY * 9 / 10);
        alarm(() -> scenario.schedule("late-", 2_000, 100));
        scenario.awaitEmpty(Duration.ofSeconds(60));

        assertNothingLostAndNobodyStuck(MANY + 2_000);
    }

    @Test
    @Tag("long")
    void memoryAlarmWithLargePayloads() throws Exception {
        scenario.schedule(200, LARGE);
        rabbit.ctl("set_vm_memory_high_watermark", "0");
        scenario.startTimed(delivery -> new RabbitAddress(target, target));
        alarm(() -> {});
        scenario.awaitEmpty(Duration.ofSeconds(60));

        assertNothingLostAndNobodyStuck(200);
    }

    @Test
    @Tag("long")
    void frozenBrokerWithLargePayloads() throws Exception {
        scenario.schedule(400, LARGE);
        scenario.startTimed(delivery -> new RabbitAddress(target, target));
        await().until(() -> scenario.stats().live() < 380);
        freeze();
        scenario.awaitEmpty(Duration.ofSeconds(60));

        assertNothingLostAndNobodyStuck(400);
    }

    @Test
    void frozenBrokerWithSmallPayloads() throws Exception {
        scenario.schedule(MANY, 100);
        scenario.startTimed(delivery -> new RabbitAddress(target, target));
        await().until(() -> scenario.stats().live() < MANY * 9 / 10);
        freeze();
        scenario.awaitEmpty(Duration.ofSeconds(60));

        assertNothingLostAndNobodyStuck(MANY);
    }

    @Test
    void killedBrokerThatComesBack() throws Exception {
        // Declarations stay in the broker's memory for up to two seconds.
        rabbit.ctl("eval", "mnesia:sync_log().");
        scenario.schedule(MANY, 100);
        scenario.startTimed(delivery -> new RabbitAddress(target, target));
        await().until(() -> scenario.stats().live() < MANY * 3 / 4);
        rabbit.kill();
        await().pollDelay(Duration.ofSeconds(2))
                .untilAsserted(() -> assertThat(scenario.stats().leased()).isZero());
        rabbit.start();
        scenario.awaitEmpty(Duration.ofSeconds(60));

        assertNothingLostAndNobodyStuck(MANY);
    }

    /** @param afterwards when the alarm is on, which on a slow machine is after everything was delivered */
    private void alarm(Runnable afterwards) {
        rabbit.ctl("set_vm_memory_high_watermark", "0");
        try {
            afterwards.run();
            await().pollDelay(ALARM)
                    .atMost(ALARM.plusSeconds(10))
                    .untilAsserted(() -> assertThat(scenario.stats().leased())
                            .as("leased while nothing can be delivered")
                            .isZero());
            assertThat(scenario.stats().live()).isPositive();
        } finally {
            rabbit.ctl("set_vm_memory_high_watermark", "0.4");
        }
    }

    private void freeze() {
        rabbit.suspend();
        try {
            await().pollDelay(ALARM)
                    .atMost(ALARM.plusSeconds(10))
                    .untilAsserted(() -> assertThat(scenario.stats().leased()).isZero());
        } finally {
            rabbit.resume();
        }
    }

    private void assertNothingLostAndNobodyStuck(int tasks) throws Exception {
        Map<String, Integer> arrived = broker.drainCounts(target);
        assertThat(arrived).hasSize(tasks);
        assertThat(scenario.stats().dead()).isZero();
        assertThat(scenario.longestCall())
                .isLessThan(Scenario.CONFIRM_TIMEOUT
                        .plus(Scenario.CONFIRM_TIMEOUT)
                        .plus(Scenario.RPC_TIMEOUT)
                        .plusSeconds(1));
    }
}
