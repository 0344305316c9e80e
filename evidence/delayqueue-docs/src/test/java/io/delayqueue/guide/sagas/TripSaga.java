// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide.sagas;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.TaskIds;
import io.delayqueue.TransactionMode;
import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.handler.DelayedTask;
import io.delayqueue.jdbc.DelayQueueInbox;
import java.time.Duration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
class TripSaga {

    private final JdbcTemplate jdbc;
    private final DelayQueueOperations delayQueue;
    private final DelayQueueInbox inbox;

    TripSaga(JdbcTemplate jdbc, DelayQueueOperations delayQueue, DelayQueueInbox inbox) {
        this.jdbc = jdbc;
        this.delayQueue = delayQueue.inTransaction(TransactionMode.OUTBOX);
        this.inbox = inbox;
    }

    @Transactional
    public void begin(String trip) {
        jdbc.update("INSERT INTO trips (id, step) VALUES (?, 'hotel')", trip);
        timeout(trip, "hotel", Duration.ofMinutes(10));
        timeout(trip, "whole", Duration.ofHours(24));
    }

    @Transactional
    public boolean hotelConfirmed(String trip) {
        if (!moved(trip, "hotel", "flight")) {
            return false; // too late, and being undone
        }
        cancel(trip, "hotel");
        timeout(trip, "flight", Duration.ofMinutes(30));
        return true;
    }

    @Transactional
    public boolean flightConfirmed(String trip) {
        if (!moved(trip, "flight", "booked")) {
            return false;
        }
        delayQueue.group("sagas", "trip:" + trip).cancel();
        return true;
    }

    @Transactional
    @DelayQueueListener(queue = "sagas")
    public void timeIsUp(DelayedTask<StepTimeout> task) {
        inbox.runOnce(task, () -> {
            String trip = task.payload().trip();
            String step = task.payload().step();
            boolean undo = step.equals("whole")
                    ? moved(trip, "hotel", "undone") || moved(trip, "flight", "undone")
                    : moved(trip, step, "undone");
            if (undo) {
                compensate(trip);
            }
        });
    }

    private void timeout(String trip, String step, Duration after) {
        delayQueue.schedule(ScheduleRequest.to("sagas")
                .group("trip:" + trip)
                .id(step)
                .payload(new StepTimeout(trip, step))
                .dueIn(after)
                .build());
    }

    private void cancel(String trip, String step) {
        delayQueue.cancel("sagas", TaskIds.inGroup("trip:" + trip, step));
    }

    private boolean moved(String trip, String from, String to) {
        return jdbc.update("UPDATE trips SET step = ? WHERE id = ? AND step = ?", to, trip, from) == 1;
    }

    private void compensate(String trip) {
        // cancel the bookings, with tasks of a separate queue, which are retried
    }
}
