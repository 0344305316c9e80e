// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide.reminders;

import io.delayqueue.ConflictPolicy;
import io.delayqueue.DelayQueueOperations;
import io.delayqueue.DeliveryWindow;
import io.delayqueue.Due;
import io.delayqueue.ScheduleResult;
import io.delayqueue.TypedQueue;
import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.handler.DelayedTask;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.stereotype.Service;

@Service
class ReadingReminders {

    final List<GoOnReading> sent = new CopyOnWriteArrayList<>();
    private final TypedQueue<GoOnReading> reminders;

    ReadingReminders(DelayQueueOperations delayQueue) {
        this.reminders = delayQueue.queue("reminders", GoOnReading.class);
    }

    void hasRead(String reader, String article) {
        reminders.schedule(reader, new GoOnReading(reader, article), Due.after(Duration.ofHours(2)));
    }

    void hasFinished(String reader) {
        reminders.cancel(reader);
    }

    @DelayQueueListener(queue = "reminders")
    void remind(DelayedTask<GoOnReading> task) {
        send(task.payload());
    }

    ScheduleResult hasReadButNotForEver(String reader, String article) {
        return reminders.schedule(reminders
                .request(new GoOnReading(reader, article))
                .id(reader)
                .dueIn(Duration.ofHours(2))
                .debounce(Duration.ofDays(1))
                .build());
    }

    ScheduleResult remindOfTheFirst(String reader, String article) {
        return reminders.schedule(reminders
                .request(new GoOnReading(reader, article))
                .id(reader)
                .dueIn(Duration.ofHours(2))
                .onConflict(ConflictPolicy.THROTTLE)
                .build());
    }

    ScheduleResult hasReadAndSleepsAtNight(String reader, String article, ZoneId zone) {
        return reminders.schedule(reminders
                .request(new GoOnReading(reader, article))
                .id(reader)
                .dueIn(Duration.ofHours(2))
                .within(DeliveryWindow.between(LocalTime.of(9, 0), LocalTime.of(21, 0))
                        .inZone(zone))
                .expiresAfter(Duration.ofHours(14))
                .build());
    }

    private void send(GoOnReading reminder) {
        sent.add(reminder);
    }
}
