// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults;

import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.handler.DelayedTask;
import io.delayqueue.handler.NonRetryableTaskException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;

/** Handles the queue {@code work} as each task's payload says, and writes down every handling. Knows no broker. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration(
        excludeName = {
            "org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration",
            "io.delayqueue.autoconfigure.DelayQueueRabbitAutoConfiguration"
        })
public class HandlerApplication {

    /** The queue that is handled. */
    public static final String QUEUE = "work";

    private final HandlingHistory history;

    HandlerApplication(@Value("${faults.history}") Path history) {
        this.history = new HandlingHistory(history);
    }

    /** The profile that configures it. */
    static final String PROFILE = "handlers";

    public static void main(String[] args) {
        new SpringApplicationBuilder(HandlerApplication.class).profiles(PROFILE).run(args);
    }

    @DelayQueueListener(queue = QUEUE)
    void handle(DelayedTask<Work> task) throws InterruptedException {
        history.begun(task.id(), task.lease().token(), task.attempt());
        Work work = task.payload();
        String end = "interrupted";
        try {
            end = work.kind().name();
            perform(work, task);
            end = "done";
        } finally {
            history.ended(task.id(), task.lease().token(), end, task.lease().isLost());
        }
    }

    private static void perform(Work work, DelayedTask<Work> task) throws InterruptedException {
        switch (work.kind()) {
            case SUCCEED -> {}
            case FAIL_ONCE -> {
                if (task.attempt() == 1) {
                    throw new IllegalStateException("fails once");
                }
            }
            case FAIL_ALWAYS -> throw new IllegalStateException("fails always");
            case FAIL_FOR_GOOD -> throw new NonRetryableTaskException("fails for good");
            case KILL -> Runtime.getRuntime().halt(137);
            case SLEEP -> TimeUnit.MILLISECONDS.sleep(work.millis());
            case STAY -> stay(work.millis());
        }
    }

    /** Takes its time and heeds no interrupt. */
    private static void stay(long millis) {
        long end = System.nanoTime() + Duration.ofMillis(millis).toNanos();
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }

    /**
     * What a task does when it is handled.
     *
     * @param kind what
     * @param millis how long, for SLEEP and STAY
     */
    public record Work(Kind kind, long millis) {}

    /** The ways a handling can go. */
    public enum Kind {
        SUCCEED,
        FAIL_ONCE,
        FAIL_ALWAYS,
        FAIL_FOR_GOOD,
        KILL,
        SLEEP,
        STAY
    }
}
