// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide.retries;

import io.delayqueue.delivery.TaskDied;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

@Component
class DeadInvoices {

    final List<TaskDied> alarms = new CopyOnWriteArrayList<>();

    @EventListener
    void died(TaskDied event) {
        if (event.queue().equals("invoices")) {
            alarms.add(event);
        }
    }
}
