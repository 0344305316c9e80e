// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import io.delayqueue.benchmarks.subject.Subject;
import io.delayqueue.benchmarks.subject.Task;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** So many tasks a second in a queue of their own, due 1 to 4 s later each, while something else goes on. */
final class SteadyTasks {

    /** Beyond the numbers of all others. */
    private static final long FIRST = 900_000_000_000L;

    private final int queue;
    private final int perSecond;
    private final AtomicLong next = new AtomicLong(FIRST);
    private final Queue<Arrival> arrivals = new ConcurrentLinkedQueue<>();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

    SteadyTasks(int queue, int perSecond) {
        this.queue = queue;
        this.perSecond = perSecond;
    }

    void start(Subject subject) {
        timer.scheduleAtFixedRate(
                () -> {
                    long dueAt = System.currentTimeMillis()
                            + ThreadLocalRandom.current().nextLong(1000, 4000);
                    subject.schedule(Task.of(queue, next.getAndIncrement(), dueAt));
                },
                0,
                1_000_000 / perSecond,
                TimeUnit.MICROSECONDS);
    }

    /** Answers false if this is none of its tasks. */
    boolean arrived(String payload) {
        if (Task.numberIn(payload) < FIRST) {
            return false;
        }
        long now = Stage.nowMicros();
        arrivals.add(new Arrival(now, now - Task.dueIn(payload) * 1000));
        return true;
    }

    /**
     * By how much those came late that arrived between these moments, epoch milliseconds; least first, in milliseconds.
     */
    double[] latenessMillis(long from, long to) {
        return arrivals.stream()
                .filter(arrival -> arrival.micros() >= from * 1000 && arrival.micros() <= to * 1000)
                .mapToDouble(arrival -> arrival.lateMicros() / 1000.0)
                .sorted()
                .toArray();
    }

    /** Schedules no more and waits for those on their way. */
    void stop(Recorder recorder) throws InterruptedException {
        timer.shutdown();
        timer.awaitTermination(10, TimeUnit.SECONDS);
        long sent = next.get() - FIRST;
        long end = System.nanoTime() + Duration.ofSeconds(15).toNanos();
        while (arrivals.size() < sent && System.nanoTime() < end) {
            Thread.sleep(20);
        }
        recorder.count("the other queue", sent, arrivals.size());
        if (arrivals.stream().anyMatch(arrival -> arrival.lateMicros() < 0)) {
            recorder.problem("the other queue: some came early");
        }
    }

    private record Arrival(long micros, long lateMicros) {}
}
