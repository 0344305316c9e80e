// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.testkit;

import static io.delayqueue.TestRequests.requestTo;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.annotation.TaskHeaders;
import io.delayqueue.handler.DelayedTask;
import io.delayqueue.test.DelayQueueTestKit;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.messaging.handler.annotation.Header;

/** Handlers that write down what they are given, and when that is by the clock of the queues. */
class Journal {

    final List<String> entries = new CopyOnWriteArrayList<>();
    volatile CountDownLatch hold = new CountDownLatch(0);
    /** Runs in each delivery of an order. */
    volatile Runnable meanwhile = () -> {};

    private final ObjectProvider<DelayQueueTestKit> kit;
    private final DelayQueueOperations tasks;

    Journal(ObjectProvider<DelayQueueTestKit> kit, DelayQueueOperations tasks) {
        this.kit = kit;
        this.tasks = tasks;
    }

    @DelayQueueListener(queue = "orders")
    void order(String payload, @Header(TaskHeaders.ID) String id) throws InterruptedException {
        note(id);
        hold.await(1, TimeUnit.MINUTES);
        meanwhile.run();
        if (payload.startsWith("then ")) {
            tasks.schedule(requestTo("reminders", "of " + id, Duration.parse(payload.substring(5))));
        }
    }

    @DelayQueueListener(queue = "reminders")
    void reminder(String payload) {
        note(payload);
    }

    @DelayQueueListener(queue = "rounds")
    void round(DelayedTask<String> task) {
        note(task.id());
        task.again(task.payload().isEmpty() ? Duration.ofMinutes(1) : Duration.parse(task.payload()));
    }

    private void note(String what) {
        entries.add(what + " at " + kit.getObject().now());
    }
}
