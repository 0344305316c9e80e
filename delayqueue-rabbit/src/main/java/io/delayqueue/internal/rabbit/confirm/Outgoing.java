// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.confirm;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.LongString;
import io.delayqueue.delivery.OpenDelivery;
import io.delayqueue.rabbit.RabbitAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A task ready to be published.
 *
 * @param delivery receives the outcome
 * @param to address of the message
 * @param properties properties of the message
 */
public record Outgoing(OpenDelivery delivery, RabbitAddress to, AMQP.BasicProperties properties) {

    byte[] body() {
        return delivery.content().payload();
    }

    /** Returns whether these messages are the same, except for their headers. */
    boolean isLike(RabbitAddress address, AMQP.BasicProperties other, byte[] otherBody) {
        return to.equals(address)
                && Arrays.equals(body(), otherBody)
                && Objects.equals(properties.getMessageId(), other.getMessageId())
                && Objects.equals(properties.getCorrelationId(), other.getCorrelationId())
                && Objects.equals(properties.getType(), other.getType());
    }

    /** Returns the number of this message's headers if the other message has all of them; otherwise -1. */
    int headersIn(AMQP.BasicProperties other) {
        Map<String, Object> own = headers(properties);
        Map<String, Object> others = headers(other);
        boolean hasAll = own.keySet().stream()
                .allMatch(name -> others.containsKey(name) && equal(own.get(name), others.get(name)));
        return hasAll ? own.size() : -1;
    }

    private static Map<String, Object> headers(AMQP.BasicProperties properties) {
        return properties.getHeaders() == null ? Map.of() : properties.getHeaders();
    }

    /** Compares tables, arrays and bytes by their content. */
    private static boolean equal(@Nullable Object one, @Nullable Object other) {
        if (one instanceof Map<?, ?> map && other instanceof Map<?, ?> otherMap) {
            return map.keySet().equals(otherMap.keySet())
                    && map.keySet().stream().allMatch(key -> equal(map.get(key), otherMap.get(key)));
        }
        if (one instanceof List<?> list && other instanceof List<?> otherList) {
            return list.size() == otherList.size()
                    && IntStream.range(0, list.size()).allMatch(i -> equal(list.get(i), otherList.get(i)));
        }
        if (one instanceof CharSequence || one instanceof LongString) {
            return other != null && one.toString().equals(other.toString());
        }
        return Objects.deepEquals(one, other);
    }

    /** Shows the task and its address, never its payload or headers. */
    @Override
    public String toString() {
        return "Outgoing[" + delivery + ", " + to + "]";
    }
}
