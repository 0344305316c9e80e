// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.intake;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Envelope;
import io.delayqueue.internal.transaction.TaskChanges;
import io.delayqueue.rabbit.RabbitHeaders;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class IntakeStoreTests {

    private final List<AMQP.BasicProperties> published = new ArrayList<>();
    private final Connection connection = proxy(
            Connection.class, (self, method, arguments) -> method.getName().equals("getFrameMax") ? 131_072 : null);
    private final Channel channel = proxy(Channel.class, (self, method, arguments) -> switch (method.getName()) {
        case "basicPublish" -> {
            published.add((AMQP.BasicProperties) arguments[3]);
            yield null;
        }
        case "waitForConfirms" -> true;
        case "getConnection" -> connection;
        default -> throw new UnsupportedOperationException(method.getName());
    });
    private final IntakeStore store = new IntakeStore(
            new IntakeSettings("delayed", "delayed.intake", "orders", "due", null, Map.of(), false),
            proxy(TaskChanges.class, (self, method, arguments) -> {
                throw new UnsupportedOperationException(method.getName());
            }),
            Duration.ofSeconds(1));

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private static Received message(AMQP.BasicProperties properties) {
        return new Received(new Envelope(1, false, "delayed", "key"), properties, new byte[0]);
    }

    /** The client reads each byte that is not UTF-8 as a character of three bytes. */
    @Test
    void settleWhenATextWasNotUtf8RejectsTheMessageWithoutItsProperties() throws Exception {
        List<IntakeTask> tasks = store.map(List.of(message(new AMQP.BasicProperties.Builder()
                .correlationId("\uFFFD".repeat(100))
                .headers(Map.of("x-delay", 5))
                .deliveryMode(2)
                .build())));

        assertThat(store.settle(channel, tasks).tasks()).isEmpty();

        AMQP.BasicProperties sent = published.get(0);
        assertThat(published).hasSize(1);
        assertThat(sent.getCorrelationId()).isNull();
        assertThat(sent.getDeliveryMode()).isEqualTo(2);
        assertThat(sent.getHeaders().get(RabbitHeaders.REJECTED_REASON).toString())
                .contains("Short string too long");
        assertThat(sent.getHeaders()).containsEntry(RabbitHeaders.REJECTED_ROUTING_KEY, "key");
        assertThat(store.rejected()).isEqualTo(1);
    }

    @Test
    void settleWhenAMessageNamesMoreAddressesRejectsItWithoutThem() throws Exception {
        List<IntakeTask> tasks = store.map(List.of(message(new AMQP.BasicProperties.Builder()
                .headers(Map.of("x-delay", "soon", "CC", List.of("billing"), "BCC", List.of("audit"), "tenant", "acme"))
                .build())));

        store.settle(channel, tasks);

        assertThat(published.get(0).getHeaders())
                .containsKeys("x-delay", "tenant", RabbitHeaders.REJECTED_REASON)
                .doesNotContainKeys("CC", "BCC");
    }
}
