// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide.reminders;

import io.delayqueue.ConflictPolicy;
import io.delayqueue.DelayQueueOperations;
import io.delayqueue.TypedQueue;
import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.handler.DelayedTask;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.stereotype.Service;

@Service
class WeeklyDigest {

    final AtomicInteger rounds = new AtomicInteger();
    private final TypedQueue<String> digests;

    WeeklyDigest(DelayQueueOperations delayQueue) {
        this.digests = delayQueue.queue("digests", String.class);
    }

    void subscribe(String reader) {
        digests.schedule(digests.request(reader)
                .id(reader)
                .dueIn(Duration.ofDays(7))
                .onConflict(ConflictPolicy.THROTTLE)
                .build());
    }

    void unsubscribe(String reader) {
        digests.cancel(reader);
    }

    @DelayQueueListener(queue = "digests")
    void send(DelayedTask<String> task) {
        mail(task.payload());
        task.againAt(task.dueAt().plus(Duration.ofDays(7)));
    }

    private void mail(String reader) {
        rounds.incrementAndGet();
    }
}
