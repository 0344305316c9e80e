// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.listener;

import io.delayqueue.TaskIds;
import io.delayqueue.annotation.TaskHeaders;
import io.delayqueue.delivery.Delivery;
import java.util.HashMap;
import java.util.Map;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHeaders;
import org.springframework.messaging.support.GenericMessage;

/** Shows a delivery to Spring's argument resolvers as a message whose payload is the delivery itself. */
final class DeliveryMessages {

    private DeliveryMessages() {}

    /** The first message takes a source of random numbers, for its id, which may have to be seeded. */
    static void prepare() {
        new GenericMessage<>("", Map.of());
    }

    static Message<Delivery> of(Delivery delivery) {
        Map<String, Object> headers = new HashMap<>(delivery.content().headers());
        headers.put(TaskHeaders.QUEUE, delivery.queue());
        headers.put(TaskHeaders.ID, delivery.id());
        TaskIds.groupOf(delivery.id()).ifPresent(group -> headers.put(TaskHeaders.GROUP, group));
        headers.put(TaskHeaders.TASK_KEY, delivery.taskKey());
        headers.put(TaskHeaders.DUE_AT, delivery.dueAt());
        headers.put(TaskHeaders.ATTEMPT, delivery.attempt());
        headers.put(TaskHeaders.LATENESS, delivery.lateness());
        headers.put(TaskHeaders.TOKEN, delivery.token());
        headers.put(MessageHeaders.CONTENT_TYPE, delivery.content().contentType());
        return new GenericMessage<>(delivery, headers);
    }
}
