// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.TaskState;
import io.delayqueue.engine.Delivery;
import io.delayqueue.engine.DeliveryInterceptor;
import io.delayqueue.engine.InterceptorChain;
import io.delayqueue.test.junit.DelayQueueServers;
import io.delayqueue.test.server.RabbitServer;
import io.delayqueue.test.server.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
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

    @AfterEach
    void close() {
        scenario.close();
        onProcessOf(silent, "resume");
    }

    @Test
    void tasksWhenTheirConfirmNeverComesAreCountedBackedOffAndBuriedAndTheOthersAreDelivered() throws Exception {
        String target = declareWithSilentQueue();
        scenario.schedule("silent-", 5, 20);
        scenario.schedule("task-", 5, 20);

        scenario.start(target, delivery -> delivery.id().startsWith("silent-") ? silent : target);

        assertThat(scenario.awaitDead("silent-0")).isEqualTo(TIMED_OUT);
        scenario.awaitEmpty(Duration.ofSeconds(5));
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
