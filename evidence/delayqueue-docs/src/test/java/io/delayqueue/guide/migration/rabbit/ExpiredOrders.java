// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide.migration.rabbit;

import io.delayqueue.rabbit.RabbitHeaders;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.stereotype.Component;

@Component
class ExpiredOrders {

    final Set<String> closed = ConcurrentHashMap.newKeySet();
    final Set<String> taskKeys = ConcurrentHashMap.newKeySet();

    @RabbitListener(queues = "orders.expired")
    void expired(OrderExpired order, @Header(name = RabbitHeaders.TASK_KEY, required = false) String taskKey) {
        close(order.orderId(), taskKey);
    }

    private void close(String orderId, String taskKey) {
        closed.add(orderId);
        if (taskKey != null) {
            taskKeys.add(taskKey);
        }
    }
}
