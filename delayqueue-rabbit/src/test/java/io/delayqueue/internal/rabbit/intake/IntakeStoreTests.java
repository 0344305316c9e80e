// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.intake;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Envelope;
import io.delayqueue.internal.transaction.TaskChanges;
import io.delayqueue.rabbit.RabbitHeaders;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class IntakeStoreTests {

    private static final int FRAME_MAX = 131_072;

    private final IntakeMapper mapper = new IntakeMapper(
            new IntakeSettings("delayed", "delayed.intake", "orders", "due", null, Map.of(), false),
            proxy(TaskChanges.class, (self, method, arguments) -> {
                throw new UnsupportedOperationException(method.getName());
            }));

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    /** Returns the properties with which the store rejects a message with these properties. */
    private AMQP.BasicProperties rejected(AMQP.BasicProperties properties) throws IOException {
        IntakeTask task = mapper.map(new Received(new Envelope(1, false, "delayed", "key"), properties, new byte[0]));
        assertThat(task.refusal()).isNotNull();
        return IntakeStore.propertiesWithin(FRAME_MAX, task);
    }

    /** The client reads each byte that is not UTF-8 as a character of three bytes. */
    @Test
    void propertiesOfARejectedMessageWhenATextWasNotUtf8AreOnlyTheReason() throws Exception {
        AMQP.BasicProperties sent = rejected(new AMQP.BasicProperties.Builder()
                .correlationId("\uFFFD".repeat(100))
                .headers(Map.of("x-delay", 5))
                .deliveryMode(2)
                .build());

        assertThat(sent.getCorrelationId()).isNull();
        assertThat(sent.getDeliveryMode()).isEqualTo(2);
        assertThat(sent.getHeaders().get(RabbitHeaders.REJECTED_REASON).toString())
                .contains("Short string too long");
        assertThat(sent.getHeaders()).containsEntry(RabbitHeaders.REJECTED_ROUTING_KEY, "key");
    }

    @Test
    void propertiesOfARejectedMessageWhenItNamesMoreAddressesDoNotContainThem() throws Exception {
        AMQP.BasicProperties sent = rejected(new AMQP.BasicProperties.Builder()
                .headers(Map.of("x-delay", "soon", "CC", List.of("billing"), "BCC", List.of("audit"), "tenant", "acme"))
                .build());

        assertThat(sent.getHeaders())
                .containsKeys("x-delay", "tenant", RabbitHeaders.REJECTED_REASON)
                .doesNotContainKeys("CC", "BCC");
    }
}
