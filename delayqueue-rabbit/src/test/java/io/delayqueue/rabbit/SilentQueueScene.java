// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import io.delayqueue.delivery.Delivery;
import io.delayqueue.delivery.DeliveryInterceptor;
import io.delayqueue.internal.engine.InterceptorChain;
import io.delayqueue.test.server.RabbitServer;
import io.delayqueue.test.server.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;

/** A queue that never confirms and one that does, with deliveries to both. The connection stays open. */
abstract class SilentQueueScene {

    static final String TIMED_OUT = "timed out: no confirm within 2s";

    final Broker broker;
    final Scenario scenario;
    private final RabbitServer rabbit;
    private String silent = "";

    SilentQueueScene(RedisServer redis, RabbitServer rabbit, int maxAttempts) {
        this.rabbit = rabbit;
        this.broker = new Broker(rabbit.uri());
        InterceptorChain interceptors = new InterceptorChain(List.of(new DeliveryInterceptor() {
            @Override
            public void after(Delivery delivery) {
                takeTime();
            }
        }));
        this.scenario =
                new Scenario(redis, rabbit.publisherUri(), maxAttempts, Duration.ofSeconds(20), 1, interceptors);
    }

    /** Simulates an application's code after a delivery, while the other tasks of the batch wait for their outcomes. */
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
        resume();
    }

    /**
     * Declares both, and silences one.
     *
     * @return the name of the exchange, of the queue that confirms, and of its routing key
     */
    final String declareWithSilentQueue(Map<String, Object> arguments) throws Exception {
        String target = broker.declare(Map.of());
        silent = target + "-silent";
        broker.with(channel -> {
            channel.queueDeclare(silent, true, false, false, arguments);
            return channel.queueBind(silent, target, silent);
        });
        onProcessOf(silent, "suspend");
        return target;
    }

    /** The name of the silent queue, and of its routing key. */
    final String silent() {
        return silent;
    }

    /** Lets the silent queue confirm again, also what it was sent before. */
    final void resume() {
        onProcessOf(silent, "resume");
    }

    private void onProcessOf(String queue, String call) {
        rabbit.ctl(
                "eval",
                "{ok, Q} = rabbit_amqqueue:lookup(rabbit_misc:r(<<\"/\">>, queue, <<\"" + queue + "\">>)), sys:" + call
                        + "(amqqueue:get_pid(Q)).");
    }
}
