// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide.migration.rqueue;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.annotation.ListenerRetry;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Service;

@Service
class Mails {

    final Set<Mail> sent = ConcurrentHashMap.newKeySet();
    private final DelayQueueOperations delayQueue;

    Mails(DelayQueueOperations delayQueue) {
        this.delayQueue = delayQueue;
    }

    void sendLater(String mailId, Mail mail) {
        delayQueue.schedule(ScheduleRequest.to("mails")
                .id(mailId)
                .payload(mail)
                .dueIn(Duration.ofMinutes(5))
                .build());
    }

    void recall(String mailId) {
        delayQueue.cancel("mails", mailId);
    }

    @DelayQueueListener(
            queue = "mails",
            concurrency = "10",
            retry =
                    @ListenerRetry(
                            maxRetries = "3",
                            delay = "5s",
                            multiplier = "1",
                            excludes = IllegalArgumentException.class))
    void send(Mail mail) {
        sent.add(mail);
    }
}
