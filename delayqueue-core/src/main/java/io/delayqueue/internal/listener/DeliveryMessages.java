// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.listener;

import io.delayqueue.TaskIds;
import io.delayqueue.annotation.TaskHeaders;
import io.delayqueue.delivery.OpenDelivery;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHeaders;
import org.springframework.messaging.support.GenericMessage;
import org.springframework.messaging.support.NativeMessageHeaderAccessor;

/**
 * Converts a delivery into a message for Spring's argument resolvers. The payload of the message is the delivery
 * itself. Its headers are those of the task, without the id and timestamp that Spring adds to messages.
 */
final class DeliveryMessages {

    private DeliveryMessages() {}

    static Message<OpenDelivery> of(OpenDelivery delivery) {
        Map<String, Object> headers = new HashMap<>(delivery.content().headers());
        headers.put(TaskHeaders.QUEUE, delivery.queue());
        headers.put(TaskHeaders.ID, delivery.id());
        TaskIds.keyOf(delivery.id()).ifPresent(key -> headers.put(TaskHeaders.KEY, key));
        TaskIds.groupOf(delivery.id()).ifPresent(group -> headers.put(TaskHeaders.GROUP, group));
        headers.put(TaskHeaders.TASK_KEY, delivery.taskKey());
        headers.put(TaskHeaders.DUE_AT, delivery.dueAt());
        headers.put(TaskHeaders.ATTEMPT, delivery.attempt());
        headers.put(TaskHeaders.LATENESS, delivery.lateness());
        headers.put(TaskHeaders.FENCING_TOKEN, delivery.fencingToken());
        headers.putIfAbsent(MessageHeaders.CONTENT_TYPE, delivery.content().contentType());
        // Otherwise Spring's header resolver would search the value of this header for other headers.
        headers.remove(NativeMessageHeaderAccessor.NATIVE_HEADERS);
        return new GenericMessage<>(delivery, new Headers(headers));
    }

    /** Returns a message for a batch, whose only header is the queue. */
    static Message<List<OpenDelivery>> of(List<OpenDelivery> batch) {
        return new GenericMessage<>(
                batch, new Headers(Map.of(TaskHeaders.QUEUE, batch.get(0).queue())));
    }

    /** Headers without the id and timestamp that Spring adds. */
    private static final class Headers extends MessageHeaders {

        private static final long serialVersionUID = 1L;

        Headers(Map<String, Object> headers) {
            super(Map.of(), ID_VALUE_NONE, -1L);
            getRawHeaders().putAll(headers);
        }
    }
}
