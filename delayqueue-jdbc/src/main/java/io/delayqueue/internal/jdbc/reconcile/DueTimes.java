// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.reconcile;

import io.delayqueue.DeliveryWindow;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.queue.QueueCatalog;
import io.delayqueue.queue.TimingSettings;
import java.time.Instant;

/** The moments at which tasks should be due, with the hours of their requests and queues. */
final class DueTimes {

    private final QueueCatalog queues;

    DueTimes(QueueCatalog queues) {
        this.queues = queues;
    }

    /** Returns the moment at which a task should be due: as requested, or the next opening of its hours. */
    Instant of(ScheduleRequest<?> expected) {
        if (expected.due().relative()) {
            throw new IllegalArgumentException(
                    "The task " + expected.id() + " of queue '" + expected.queue()
                            + "' should be due at a point in time, not after a delay, to be compared. Build its request with dueAt(...)");
        }
        return opening(expected, Instant.ofEpochMilli(expected.due().millis()));
    }

    /** Returns the first moment from this one on at which a task may be delivered. */
    Instant opening(ScheduleRequest<?> expected, Instant from) {
        TimingSettings queue = queues.get(expected.queue()).timing();
        DeliveryWindow window = expected.window().orElse(queue.window());
        return window == null
                ? from
                : window.nextOpening(from, queue.calendars()).orElse(from);
    }
}
