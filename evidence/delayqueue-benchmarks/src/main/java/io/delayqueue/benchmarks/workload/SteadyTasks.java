// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import io.delayqueue.benchmarks.subject.Subject;
import io.delayqueue.benchmarks.subject.Task;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A steady rate of tasks in a separate queue, each due after 1 to 4 s, during other work. */
final class SteadyTasks {

    /** Higher than the numbers of all other tasks. */
    private static final long FIRST = 900_000_000_000L;

    private final int queue;
    private final int perSecond;
    private final Set<Long> sent = ConcurrentHashMap.newKeySet();
    private final Map<Long, Arrival> arrivals = new ConcurrentHashMap<>();
    private final AtomicInteger duplicates = new AtomicInteger();
    private @Nullable Pace pace;

    SteadyTasks(int queue, int perSecond) {
        this.queue = queue;
        this.perSecond = perSecond;
    }

    /** Returns whether steady tasks include this number. */
    static boolean isSteady(long number) {
        return number >= FIRST;
    }

    void start(Subject subject) {
        pace = new Pace(perSecond, (index, planned) -> {
            long dueAt = planned + new SplittableRandom(index).nextLong(1000, 4000);
            sent.add(FIRST + index);
            subject.schedule(Task.of(queue, FIRST + index, dueAt));
        });
        pace.start();
    }

    /** Records an arrival. Returns {@code false} if the task is not among these tasks. */
    boolean arrived(String payload) {
        long number = Task.numberIn(payload);
        if (number < FIRST) {
            return false;
        }
        long dueAt = Task.dueIn(payload);
        if (arrivals.putIfAbsent(number, new Arrival(dueAt, Stage.nowMicros() - dueAt * 1000)) != null) {
            duplicates.incrementAndGet();
        }
        return true;
    }

    /** Returns the lateness of tasks that were due in one of these periods, in milliseconds, lowest first. */
    double[] latenessMillis(Collection<Window> windows) {
        return arrivals.values().stream()
                .filter(arrival -> windows.stream().anyMatch(window -> window.has(arrival.dueAt())))
                .mapToDouble(arrival -> arrival.lateMicros() / 1000.0)
                .sorted()
                .toArray();
    }

    /**
     * Stops scheduling, waits for outstanding tasks, and compares the arrivals with the scheduled tasks, number by
     * number.
     */
    void stop(Recorder recorder) throws InterruptedException {
        Pace running = Objects.requireNonNull(pace, "it was not started");
        running.stop();
        long end = System.nanoTime() + Duration.ofSeconds(15).toNanos();
        while (!arrivals.keySet().containsAll(sent) && System.nanoTime() < end) {
            Thread.sleep(20);
        }
        long there = sent.stream().filter(arrivals::containsKey).count();
        recorder.count("the other queue", sent.size(), there);
        if (duplicates.get() + arrivals.size() > there) {
            recorder.problem("the other queue: " + duplicates + " came twice, " + (arrivals.size() - there)
                    + " were not expected");
        }
        if (arrivals.values().stream().anyMatch(arrival -> arrival.lateMicros() < 0)) {
            recorder.problem("the other queue: some came early");
        }
        running.record("the other queue, sent a second", recorder);
    }

    /**
     * A period of other work.
     *
     * @param from its beginning, epoch milliseconds
     * @param to its end, epoch milliseconds
     */
    record Window(long from, long to) {

        private boolean has(long millis) {
            return millis >= from && millis <= to;
        }
    }

    private record Arrival(long dueAt, long lateMicros) {}
}
