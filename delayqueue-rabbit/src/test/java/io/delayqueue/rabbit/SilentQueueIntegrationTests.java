// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.TaskState;
import io.delayqueue.delivery.Delivery;
import io.delayqueue.delivery.DeliveryInterceptor;
import io.delayqueue.internal.engine.InterceptorChain;
import io.delayqueue.test.junit.DelayQueueServers;
import io.delayqueue.test.server.RabbitServer;
import io.delayqueue.test.server.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A queue that confirms nothing, as a quorum queue without its majority, beside one that does. The connection stays. */
@DelayQueueServers(rabbit = DelayQueueServers.Rabbit.REAL)
class SilentQueueIntegrationTests {

    private static final String TIMED_OUT = "timed out: no confirm within 2s";

    private final RabbitServer rabbit;
    private final Broker broker;
    private final Scenario scenario;
    private String silent = "";

    SilentQueueIntegrationTests(RedisServer redis, RabbitServer rabbit) {
        this.rabbit = rabbit;
        this.broker = new Broker(rabbit.uri());
        InterceptorChain interceptors = new InterceptorChain(List.of(new DeliveryInterceptor() {
            @Override
            public void after(Delivery delivery) {
                takeTime();
            }
        }));
        this.scenario = new Scenario(redis, rabbit.publisherUri(), 3, Duration.ofSeconds(20), 1, interceptors);
    }

    /** What an application does with a task that was delivered, while the others of its batch wait for their outcomes. */
    private static void takeTime() {
        try {
            new CountDownLatch(1).await(200, TimeUnit.MILLISECONDS);
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
    }

    /** The first connection of a process may take longer than a call may. */
    @BeforeEach
    void connect() {
        await().ignoreExceptions()
                .atMost(Duration.ofSeconds(30))
                .until(() -> scenario.stats().live() == 0);
    }

    @AfterEach
    void close() {
        scenario.close();
        onProcessOf(silent, "resume");
    }

    @Test
    void tasksWhenTheirConfirmNeverComesAreCountedBackedOffAndAtLastDeadAndTheOthersAreDelivered() throws Exception {
        String target = declareWithSilentQueue();
        scenario.schedule("silent-", 5, 20);
        scenario.schedule("task-", 5, 20);

        scenario.start(target, delivery -> delivery.id().startsWith("silent-") ? silent : target);

        assertThat(scenario.awaitDead("silent-0")).isEqualTo(TIMED_OUT);
        scenario.awaitEmpty(Duration.ofSeconds(40));
        for (int i = 0; i < 5; i++) {
            assertThat(scenario.find("silent-" + i).failures()).isEqualTo(3);
            assertThat(scenario.find("silent-" + i).lastReason()).isEqualTo(TIMED_OUT);
        }
        assertThat(broker.drainCounts(target))
                .hasSize(5)
                .allSatisfy((id, copies) -> assertThat(copies).isEqualTo(1));
        onProcessOf(silent, "resume");
        assertThat(broker.drainCounts(silent))
                .hasSize(5)
                .allSatisfy((id, copies) ->
                        assertThat(copies).as("one for each attempt").isEqualTo(3));
    }

    @Test
    void tasksWhenASilentQueueHoldsBackTheirChannelAreDeliveredApartFromThoseForItAndNotCounted() throws Exception {
        String target = broker.declare(Map.of());
        silent = target + "-silent";
        broker.with(channel -> {
            channel.queueDeclare(silent, true, false, false, Map.of("x-queue-type", "quorum"));
            return channel.queueBind(silent, target, silent);
        });
        onProcessOf(silent, "suspend");
        scenario.schedule("silent-", 3, 20);
        scenario.schedule("task-", 5, 20);
        AtomicInteger connections = new AtomicInteger();
        scenario.publisher.connectionFactory().addConnectionListener(connection -> connections.incrementAndGet());
        scenario.start(target, delivery -> delivery.id().startsWith("silent-") ? silent : target);

        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(
                        () -> assertThat(scenario.find("silent-0").failures()).isEqualTo(1));
        await().atMost(Duration.ofSeconds(5)).untilAsserted(() -> assertGone("task-"));
        scenario.schedule("more-", 5, 20);
        await().atMost(Duration.ofSeconds(2)).untilAsserted(() -> assertGone("more-"));
        scenario.schedule("silent-more-", 1, 20);
        scenario.schedule("last-", 5, 20);
        await().atMost(Duration.ofSeconds(2)).untilAsserted(() -> assertGone("last-"));
        assertThat(scenario.awaitDead("silent-0")).isEqualTo(TIMED_OUT);
        scenario.awaitEmpty(Duration.ofSeconds(40));

        assertThat(scenario.stats().dead()).isEqualTo(4);
        assertThat(scenario.find("silent-1").failures()).isEqualTo(3);
        assertThat(broker.drain(target))
                .extracting(message -> message.getProps().getHeaders().get(RabbitHeaders.ATTEMPT))
                .as("no failure of theirs was counted")
                .hasSizeGreaterThanOrEqualTo(15)
                .containsOnly(1);
        assertThat(connections).hasValue(1);
    }

    @Test
    void taskWhenTheQueueConfirmsAgainIsDeliveredWithItsFailuresCounted() throws Exception {
        String target = declareWithSilentQueue();
        scenario.schedule("silent-", 1, 20);
        scenario.start(target, silent);
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(
                        () -> assertThat(scenario.find("silent-0").failures()).isPositive());
        assertThat(scenario.find("silent-0").state()).isNotEqualTo(TaskState.DEAD);

        onProcessOf(silent, "resume");

        scenario.awaitEmpty(Duration.ofSeconds(20));
        assertThat(scenario.stats().dead()).isZero();
    }

    private void assertGone(String prefix) {
        for (int i = 0; i < 5; i++) {
            assertThat(scenario.isThere(prefix + i)).as(prefix + i).isFalse();
        }
    }

    /** Bound to the exchange that this returns by its name. */
    private String declareWithSilentQueue() throws Exception {
        String target = broker.declare(Map.of());
        silent = target + "-silent";
        broker.with(channel -> {
            channel.queueDeclare(silent, true, false, false, null);
            return channel.queueBind(silent, target, silent);
        });
        onProcessOf(silent, "suspend");
        return target;
    }

    private void onProcessOf(String queue, String call) {
        rabbit.ctl(
                "eval",
                "{ok, Q} = rabbit_amqqueue:lookup(rabbit_misc:r(<<\"/\">>, queue, <<\"" + queue + "\">>)), sys:" + call
                        + "(amqqueue:get_pid(Q)).");
    }
}
