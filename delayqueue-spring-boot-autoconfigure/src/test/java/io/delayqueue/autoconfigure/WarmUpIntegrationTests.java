// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.codec.PayloadCodec;
import io.delayqueue.handler.DelayedTask;
import io.delayqueue.test.server.RedisServer;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/**
 * The work that runs concurrently with the start of an application, so that neither the start nor the first task waits
 * for it.
 */
class WarmUpIntegrationTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(DataRedisAutoConfiguration.class, DelayQueueAutoConfiguration.class));

    @Test
    void startWhenThereIsAListenerPreparesItsPayloadOnAThreadOfItsOwn() {
        try (RedisServer redis = RedisServer.embedded().start()) {
            runner.withPropertyValues(
                            "spring.data.redis.url=" + redis.uri(), "delayqueue.queues.orders.codec=recording")
                    .withBean(RecordingCodec.class)
                    .withBean(OrdersListener.class)
                    .run(context -> {
                        RecordingCodec codec = context.getBean(RecordingCodec.class);
                        await().untilAsserted(() -> assertThat(codec.prepared).hasSize(1));
                        assertThat(codec.prepared).allSatisfy((type, thread) -> {
                            assertThat(type).isEqualTo("java.util.List<java.lang.Integer>");
                            assertThat(thread).startsWith("delayqueue-housekeeping-");
                        });
                        // and a preparation that failed is of no consequence
                        context.getBean(DelayQueueOperations.class)
                                .schedule(requestTo("orders", List.of(7), Duration.ZERO));
                        await().untilAsserted(() -> assertThat(context.getBean(OrdersListener.class).got)
                                .containsExactly(List.of(7)));
                    });
        }
    }

    static class OrdersListener {

        final List<List<Integer>> got = new CopyOnWriteArrayList<>();

        @DelayQueueListener(queue = "orders")
        void onOrders(DelayedTask<List<Integer>> task) {
            got.add(task.payload());
        }
    }

    static class RecordingCodec implements PayloadCodec {

        final Map<String, String> prepared = new ConcurrentHashMap<>();

        @Override
        public String name() {
            return "recording";
        }

        @Override
        public String contentType() {
            return "application/x-recording";
        }

        @Override
        public byte[] encode(Object payload) {
            return new byte[] {((Integer) ((List<?>) payload).get(0)).byteValue()};
        }

        @Override
        public Object decode(byte[] payload, Type type) {
            return List.of((int) payload[0]);
        }

        @Override
        public void prepare(Type type) {
            prepared.put(type.getTypeName(), Thread.currentThread().getName());
            throw new IllegalStateException("not ready for that");
        }
    }
}
