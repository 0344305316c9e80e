// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.load;

import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.faults.history.Event;
import io.delayqueue.faults.history.Event.End;
import io.delayqueue.faults.history.HistoryWriter;
import io.delayqueue.handler.DelayedTask;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Handles tasks as their payloads define, and records each call.
 *
 * @param table table where each call writes first; null for none
 * @param slowTime duration of a slow handler
 * @param thrown exceptions that any call may throw
 */
record RecordedHandler(
        HistoryWriter history,
        RedisClock clock,
        @Nullable FencedTable table,
        Duration slowTime,
        ThrownAtRandom thrown) {

    @DelayQueueListener(queue = LoadApplication.HANDLED)
    void handle(DelayedTask<Work> task) throws InterruptedException {
        Work work = task.payload();
        history.write(new Event.Started(
                task.queue(),
                task.id(),
                work.version(),
                task.lease().fencingToken(),
                task.attempt(),
                task.dueAt().toEpochMilli(),
                clock.latestMicros()));
        End end = End.BROKEN_OFF;
        try {
            if (table != null) {
                write(task, table);
            }
            if (work.behaviour() == Work.Behaviour.SUCCEED_SLOWLY) {
                TimeUnit.NANOSECONDS.sleep(slowTime.toNanos());
            }
            end = End.FAILED;
            thrown.perhaps();
            boolean fails = work.behaviour() == Work.Behaviour.FAIL_ALWAYS
                    || work.behaviour() == Work.Behaviour.FAIL_ONCE && task.attempt() == 1;
            end = fails ? End.FAILED : End.OK;
            if (fails) {
                throw new IllegalStateException("fails as it was told");
            }
        } finally {
            history.write(new Event.Ended(
                    task.queue(),
                    task.id(),
                    work.version(),
                    task.lease().fencingToken(),
                    end,
                    task.lease().isLost()));
        }
    }

    private void write(DelayedTask<Work> task, FencedTable fenced) {
        long token = task.lease().fencingToken();
        history.write(new Event.Fenced(
                task.queue(),
                task.id(),
                task.payload().version(),
                token,
                fenced.update(task.queue(), task.id(), token)));
    }
}
