// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.reconcile;

import io.delayqueue.DeliveryWindow;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.TimingSettings;
import java.time.Instant;

/** Computes when tasks should be due, considering the delivery hours of their requests and queues. */
final class DueTimes {

    private final QueueCatalog queues;

    DueTimes(QueueCatalog queues) {
        this.queues = queues;
    }

    /** Returns when a task should be due: as requested, or when its hours next open. */
    Instant of(ScheduleRequest<?> expected) {
        if (expected.due().relative()) {
            throw new IllegalArgumentException("To compare task " + expected.id() + " of queue '" + expected.queue()
                    + "', give it an absolute due time instead of a delay: build its request "
                    + "with dueAt(...)");
        }
        return opening(expected, Instant.ofEpochMilli(expected.due().millis()));
    }

    /** Returns the first moment, from this one on, when a task may be delivered. */
    Instant opening(ScheduleRequest<?> expected, Instant from) {
        TimingSettings queue = queues.get(expected.queue()).timing();
        DeliveryWindow window = expected.window().orElse(queue.window());
        return window == null
                ? from
                : window.nextOpening(from, queue.calendars()).orElse(from);
    }
}
