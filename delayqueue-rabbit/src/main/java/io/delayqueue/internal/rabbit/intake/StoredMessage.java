// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.intake;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.impl.AMQContentHeader;
import com.rabbitmq.client.impl.AMQImpl;
import io.delayqueue.rabbit.RabbitAddress;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.Base64;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A message that an intake has stored as a task. The body is the task's payload. Headers of the task contain the
 * exchange and the routing key as strings, and all properties in AMQP encoding, so that each header keeps its type.
 *
 * @param to the address to publish it to when it is due
 * @param properties the received properties, without counters that the intake's queue added
 * @param identified whether the published message has the headers that identify its task
 */
public record StoredMessage(RabbitAddress to, AMQP.BasicProperties properties, boolean identified) {

    /** Task header with the exchange. */
    static final String EXCHANGE_HEADER = "amqp_exchange";

    /** Task header with the routing key. */
    static final String ROUTING_KEY_HEADER = "amqp_routing_key";

    /** Task header with the properties: a letter, then base64. */
    static final String PROPERTIES_HEADER = "amqp_properties";

    private static final char PLAIN = 'p';
    private static final char IDENTIFIED = 'i';
    private static final Set<String> ADDED_BY_QUEUE = Set.of("x-delivery-count", "x-acquired-count");

    /** Returns the message for received properties, without the headers that the broker's queue added. */
    static StoredMessage received(RabbitAddress to, AMQP.BasicProperties properties, boolean identified) {
        if (properties.getHeaders() == null) {
            return new StoredMessage(to, properties, identified);
        }
        Map<String, Object> headers =
                new TreeMap<>(properties.getHeaders()); // The order must not depend on removed headers.
        headers.keySet().removeAll(ADDED_BY_QUEUE);
        return new StoredMessage(to, properties.builder().headers(headers).build(), identified);
    }

    /**
     * Returns the message from these headers of a task; null if the task was not stored by an intake.
     *
     * @throws IllegalArgumentException if the headers were changed and are no longer valid
     */
    public static @Nullable StoredMessage in(Map<String, String> headers) {
        String stored = headers.get(PROPERTIES_HEADER);
        if (stored == null) {
            return null;
        }
        try {
            if (stored.isEmpty() || (stored.charAt(0) != PLAIN && stored.charAt(0) != IDENTIFIED)) {
                throw new IllegalArgumentException("unknown form");
            }
            byte[] encoded = Base64.getDecoder().decode(stored.substring(1));
            AMQContentHeader properties =
                    AMQImpl.readContentHeaderFrom(new DataInputStream(new ByteArrayInputStream(encoded)));
            RabbitAddress to = new RabbitAddress(
                    headers.getOrDefault(EXCHANGE_HEADER, ""), headers.getOrDefault(ROUTING_KEY_HEADER, ""));
            return new StoredMessage(to, (AMQP.BasicProperties) properties, stored.charAt(0) == IDENTIFIED);
        } catch (IOException | RuntimeException ex) {
            throw new IllegalArgumentException(
                    "its header " + PROPERTIES_HEADER + " does not contain the properties of a message", ex);
        }
    }

    /** Returns the headers of the task that stores this message. */
    Map<String, String> headers() {
        return Map.of(
                EXCHANGE_HEADER,
                to.exchange(),
                ROUTING_KEY_HEADER,
                to.routingKey(),
                PROPERTIES_HEADER,
                (identified ? IDENTIFIED : PLAIN)
                        + Base64.getEncoder().withoutPadding().encodeToString(encoded()));
    }

    /** Returns the properties in the encoding of AMQP; equal for messages with equal properties. */
    byte[] encoded() {
        try {
            return properties.toFrame(0, 0).getPayload();
        } catch (IOException ex) {
            throw new IllegalArgumentException("the properties cannot be encoded", ex);
        }
    }

    /** Shows the address, but no properties. */
    @Override
    public String toString() {
        return "StoredMessage[" + to + "]";
    }
}
