// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide.limits;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.handler.DelayedTask;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.stereotype.Service;

@Service
class ClinicMessages {

    final Map<String, List<Instant>> sent = new ConcurrentHashMap<>();
    private final DelayQueueOperations delayQueue;

    ClinicMessages(DelayQueueOperations delayQueue) {
        this.delayQueue = delayQueue;
    }

    void remind(String clinic, String appointment, Duration in) {
        delayQueue.schedule(ScheduleRequest.to("messages")
                .key(clinic)
                .group(appointment)
                .id("reminder")
                .payload(new Message(clinic, appointment))
                .dueIn(in)
                .build());
    }

    void cancel(String clinic, String appointment) {
        delayQueue.key("messages", clinic).group(appointment).cancel();
    }

    @DelayQueueListener(queue = "messages")
    void send(DelayedTask<Message> task) {
        sent.computeIfAbsent(task.key().orElseThrow(), clinic -> new CopyOnWriteArrayList<>())
                .add(Instant.now());
    }
}
