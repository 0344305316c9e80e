// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.trigger;

import com.rabbitmq.client.AMQP;
import io.delayqueue.delivery.Delivery;
import io.delayqueue.internal.queue.TaskBounds;
import io.delayqueue.internal.rabbit.intake.StoredMessage;
import io.delayqueue.rabbit.RabbitHeaders;
import io.delayqueue.rabbit.RabbitMessageCustomizer;
import java.nio.charset.StandardCharsets;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.MessageDeliveryMode;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.rabbit.support.DefaultMessagePropertiesConverter;

/** Creates the properties of a task's message. */
public final class MessageMaker {

    /** Creates only the standard properties. */
    public static final MessageMaker PLAIN = new MessageMaker(List.of(), null, false);

    private static final int PERSISTENT = 2;

    private final boolean heedsTasks;
    private final List<RabbitMessageCustomizer> customizers;
    private final @Nullable String user;

    /** @param user user of the connection, the only valid user id of its messages; null if unknown */
    public MessageMaker(List<RabbitMessageCustomizer> customizers, @Nullable String user) {
        this(customizers, user, true);
    }

    /** @param heedsTasks whether headers of a task can set properties of its message */
    private MessageMaker(List<RabbitMessageCustomizer> customizers, @Nullable String user, boolean heedsTasks) {
        this.heedsTasks = heedsTasks;
        this.user = user;
        this.customizers = List.copyOf(customizers);
    }

    /**
     * Returns the message that an intake stored as this task; null if the task was not stored by an intake.
     *
     * @throws IllegalArgumentException if headers of the task were changed and are no longer valid
     */
    @Nullable
    StoredMessage storedIn(Delivery delivery) {
        return heedsTasks ? StoredMessage.in(delivery.content().headers()) : null;
    }

    /** Returns the properties of a stored message, without a user id that the broker would refuse. */
    AMQP.BasicProperties of(Delivery delivery, StoredMessage stored) {
        AMQP.BasicProperties properties = stored.properties();
        String userId = properties.getUserId();
        boolean isForeign = userId != null && !userId.equals(user);
        if (!isForeign && !stored.identified()) {
            return properties;
        }
        AMQP.BasicProperties.Builder changed = properties.builder();
        if (isForeign) {
            changed.userId(null);
        }
        if (stored.identified()) {
            Map<String, Object> headers =
                    properties.getHeaders() == null ? new HashMap<>() : new HashMap<>(properties.getHeaders());
            identify(headers, delivery);
            headers.put(RabbitHeaders.ID, delivery.id());
            changed.headers(headers);
        }
        return changed.build();
    }

    /** @throws NoMessageException if a customizer throws */
    AMQP.BasicProperties of(Delivery delivery) {
        Map<String, Object> headers = new HashMap<>(delivery.content().headers());
        if (heedsTasks) {
            MessageProperty.removeFrom(headers);
        }
        String messageId = identify(headers, delivery);
        if (!customizers.isEmpty()) {
            return customized(delivery, headers);
        }
        return new AMQP.BasicProperties.Builder()
                .messageId(messageId)
                .contentType(delivery.content().contentType())
                .deliveryMode(PERSISTENT)
                .timestamp(new Date())
                .type(property(MessageProperty.TYPE, delivery))
                .priority(priority(delivery))
                .expiration(property(MessageProperty.EXPIRATION, delivery))
                .headers(headers)
                .build();
    }

    private @Nullable String property(MessageProperty property, Delivery delivery) {
        return heedsTasks ? property.of(delivery) : null;
    }

    /** Returns the reason why no message can be created from the task; null if one can be created. */
    @Nullable
    String objectionTo(Delivery delivery) {
        return heedsTasks ? MessageProperty.objectionTo(delivery) : null;
    }

    private @Nullable Integer priority(Delivery delivery) {
        String priority = property(MessageProperty.PRIORITY, delivery);
        return (priority == null) ? null : Integer.valueOf(priority);
    }

    /** Returns the id for the message property. If it is too long, stores it in a header and returns null. */
    private static @Nullable String identify(Map<String, Object> headers, Delivery delivery) {
        headers.put(RabbitHeaders.QUEUE, delivery.queue());
        headers.put(RabbitHeaders.TASK_KEY, delivery.taskKey());
        headers.put(RabbitHeaders.DUE_AT, delivery.dueAt().toEpochMilli());
        headers.put(RabbitHeaders.ATTEMPT, delivery.attempt());
        headers.put(RabbitHeaders.FENCING_TOKEN, delivery.fencingToken());
        if (OutgoingMapper.isShortString(delivery.id())) {
            return delivery.id();
        }
        headers.put(RabbitHeaders.ID, delivery.id());
        return null;
    }

    private AMQP.BasicProperties customized(Delivery delivery, Map<String, Object> headers) {
        MessageProperties properties = new MessageProperties();
        properties.setHeaders(headers);
        properties.setContentType(delivery.content().contentType());
        properties.setTimestamp(new Date());
        properties.setType(property(MessageProperty.TYPE, delivery));
        Integer priority = priority(delivery);
        if (priority != null) {
            properties.setPriority(priority);
        }
        properties.setExpiration(property(MessageProperty.EXPIRATION, delivery));
        for (RabbitMessageCustomizer customizer : customizers) {
            try {
                customizer.customize(properties, delivery);
            } catch (Throwable ex) { // Includes checked exceptions from code that bypasses the compiler.
                throw new NoMessageException(
                        "no message could be created: "
                                + customizer.getClass().getName() + ".customize threw "
                                + ex.getClass().getName(),
                        ex);
            }
        }
        restoreReserved(properties.getHeaders(), delivery);
        properties.setMessageId(identify(properties.getHeaders(), delivery));
        properties.setDeliveryMode(MessageDeliveryMode.PERSISTENT);
        return new DefaultMessagePropertiesConverter().fromMessageProperties(properties, StandardCharsets.UTF_8.name());
    }

    /** Restores reserved headers that customizers have changed, because returned messages are identified by them. */
    private static void restoreReserved(Map<String, Object> headers, Delivery delivery) {
        headers.keySet().removeIf(MessageMaker::isReserved);
        delivery.content().headers().forEach((name, value) -> {
            if (isReserved(name)) {
                headers.put(name, value);
            }
        });
    }

    private static boolean isReserved(String name) {
        String prefix = TaskBounds.RESERVED_HEADER_PREFIX;
        return name.regionMatches(true, 0, prefix, 0, prefix.length());
    }
}
