// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide.limits;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.annotation.DelayQueueListener;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.stereotype.Service;

@Service
class Bookings {

    final List<Booking> booked = new CopyOnWriteArrayList<>();
    private final DelayQueueOperations delayQueue;

    Bookings(DelayQueueOperations delayQueue) {
        this.delayQueue = delayQueue;
    }

    void book(String account, String booking, Instant at) {
        delayQueue.schedule(ScheduleRequest.to("bookings")
                .key(account)
                .payload(new Booking(account, booking))
                .dueAt(at)
                .build());
    }

    @DelayQueueListener(queue = "bookings")
    void handle(Booking booking) {
        booked.add(booking);
    }
}
