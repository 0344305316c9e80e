// SPDX-License-Identifier: Apache-2.0
package com.example.recipes;

import io.delayqueue.delivery.TaskExpired;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.context.event.EventListener;

class TooLate {

    final List<String> told = new CopyOnWriteArrayList<>();
    private final Support support = (queue, id) -> told.add(queue);

    @EventListener
    void expired(TaskExpired event) {
        support.tell(event.queue(), event.id());
    }

    /** The people who learn that a customer has got no code. */
    interface Support {

        void tell(String queue, String id);
    }
}
