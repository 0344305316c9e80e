// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.subject;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A limit, not a peer: a JVM timer with four threads, and no Redis. All lateness comes from the machine and the JVM.
 */
final class BareTimerSubject implements Subject {

    private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(4);
    private final Sink sink;

    BareTimerSubject(Need need) {
        Sink wanted = need.sink();
        if (wanted == null) {
            throw new IllegalArgumentException("A JVM timer can deliver only to the application");
        }
        this.sink = wanted;
    }

    @Override
    public void schedule(Task task) {
        long left = ChronoUnit.NANOS.between(Instant.now(), Instant.ofEpochMilli(task.dueAt()));
        timer.schedule(() -> sink.arrived(task.payload()), left, TimeUnit.NANOSECONDS);
    }

    @Override
    public void scheduleAll(List<Task> tasks) {
        tasks.forEach(this::schedule);
    }

    @Override
    public boolean cancel(Task task) {
        throw new UnsupportedOperationException("A JVM timer does not know ids");
    }

    @Override
    public long pending() {
        return timer.getQueue().size();
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
