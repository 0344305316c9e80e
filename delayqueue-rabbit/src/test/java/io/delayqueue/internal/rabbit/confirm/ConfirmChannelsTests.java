// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.confirm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.rabbit.connection.BrokerConnection;
import io.delayqueue.internal.rabbit.connection.SocketGuard;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.test.util.ReflectionTestUtils;

class ConfirmChannelsTests {

    private static final Duration LIMIT = Duration.ofSeconds(5);

    private final AtomicInteger breaks = new AtomicInteger();
    private final CountDownLatch held = new CountDownLatch(1);

    @AutoClose
    private final Scheduler timer = new Scheduler();

    private final SocketGuard guard = new SocketGuard(timer, breaks::incrementAndGet);

    @AutoClose
    private final ConfirmChannels channels = new ConfirmChannels(
            new BrokerConnection(new CachingConnectionFactory("localhost", 1), LIMIT, "nothing goes"), guard, LIMIT);

    @Test
    void discardWhenTheBrokerHoldsBackMoreChannelsThanCanBeClosedBreaksTheConnectionAndKeepsNothingOfThem()
            throws Exception {
        for (int i = 0; i < 300; i++) {
            channels.discard(ConfirmChannel.open(connection(), guard, LIMIT));
        }

        assertThat(breaks).hasPositiveValue();
        held.countDown();
        await().untilAsserted(() -> assertThat((Collection<?>) ReflectionTestUtils.getField(guard, "guarding"))
                .as("what is guarded")
                .isEmpty());
    }

    private Connection connection() {
        return proxy(Connection.class, (method) -> switch (method) {
            case "createChannel" -> proxy(Channel.class, this::heldBack);
            default -> null;
        });
    }

    /** A channel that the broker does not close. */
    private Object heldBack(String method) throws Exception {
        if (method.equals("abort")) {
            held.await();
        }
        return method.equals("isOpen") ? true : null;
    }

    @SuppressWarnings("unchecked")
    private static <T> T proxy(Class<T> type, Answers answers) {
        return (T) Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> answers.to(method.getName()));
    }

    private interface Answers {

        Object to(String method) throws Exception;
    }
}
