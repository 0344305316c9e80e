// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.subject;

import io.delayqueue.benchmarks.server.Place;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A limit, not a peer: the timer of {@link BareTimerSubject} with tasks in Redis. At the due time, one script call pops
 * due tasks. No library that stores its tasks in Redis can have a lower lateness.
 */
final class BareTimerScriptSubject extends BareRedisSubject {

    private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(4);
    private final Sink sink;

    BareTimerScriptSubject(Place place, Need need) {
        super(place, Need.toKeep());
        Sink wanted = need.sink();
        if (wanted == null) {
            throw new IllegalArgumentException("A JVM timer can deliver only to the application");
        }
        this.sink = wanted;
    }

    @Override
    public void schedule(Task task) {
        super.schedule(task);
        long left = ChronoUnit.NANOS.between(Instant.now(), Instant.ofEpochMilli(task.dueAt()));
        timer.schedule(() -> pop(connection()).forEach(sink::arrived), left, TimeUnit.NANOSECONDS);
    }

    @Override
    public void close() {
        timer.shutdownNow();
        super.close();
    }
}
