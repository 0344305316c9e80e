// SPDX-License-Identifier: Apache-2.0
package com.example.handlers;

import io.delayqueue.annotation.DelayQueueHandler;
import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.annotation.TaskType;
import org.springframework.stereotype.Component;

@TaskType("order.placed")
record Placed(String order) {}

@TaskType("order.paid")
record Paid(String order) {}

@Component
@DelayQueueListener(queue = "orders")
class OrderEvents {

    @DelayQueueHandler
    void placed(Placed placed) {}

    @DelayQueueHandler
    void paid(Paid paid) {}

    @DelayQueueHandler(isDefault = true)
    void other(Object payload) {}
}
