// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import io.delayqueue.benchmarks.server.BrokerQueue;
import io.delayqueue.benchmarks.server.Place;
import io.delayqueue.benchmarks.server.ProcessGauge;
import io.delayqueue.benchmarks.subject.Subject;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Tasks that are all due in the same millisecond, delivered to a queue of the broker. */
final class BrokerFlood {

    private static final int WARM_UP = 10_000;
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final Subject subject;
    private final BrokerQueue queue;
    private final Load load;
    private final Recorder recorder;
    private final @Nullable ProcessGauge broker;
    private double scheduledPerSecond = 5_000;

    BrokerFlood(Subject subject, BrokerQueue queue, Place place, Recorder recorder) {
        this.subject = subject;
        this.queue = queue;
        this.load = new Load(subject);
        this.recorder = recorder;
        this.broker = (place.rabbitPid() == 0) ? null : new ProcessGauge(place.rabbitPid());
    }

    /** Makes small floods, due at once, for this time. Leaves the queue empty. */
    void warmUp(Duration time) throws InterruptedException {
        long end = System.nanoTime() + time.toNanos();
        do {
            Duration took = load.inBatches(WARM_UP, System.currentTimeMillis());
            scheduledPerSecond = WARM_UP / (took.toNanos() / 1e9);
            int depth = awaitDepth(WARM_UP, System.nanoTime() + LIMIT.toNanos());
            if (depth < WARM_UP) {
                recorder.problem("warm-up: " + depth + " of " + WARM_UP + " messages");
            }
            queue.purge();
        } while (System.nanoTime() < end);
        cost(); // The first call takes longer.
    }

    /**
     * Schedules this number of tasks, waits until the broker has all of them, and records the rate and the cost per
     * task.
     */
    void drain(String name, int count) throws InterruptedException {
        Arrivals arrivals = new Arrivals();
        Stage stage = arrivals.expect(load.next(), count);
        long dueAt = System.currentTimeMillis() + 1000 + (long) (2000 * count / scheduledPerSecond);
        load.inBatches(count, dueAt);
        if (dueAt < System.currentTimeMillis()) {
            recorder.problem(name + ": scheduling took longer than until the tasks were due");
        } else {
            Thread.sleep(Math.max(0, dueAt - System.currentTimeMillis() - 20));
            int early = queue.depth();
            if (early > 0 && System.currentTimeMillis() < dueAt) {
                recorder.problem(name + ": " + early + " came early");
            }
        }
        recorder.begin();
        measure(name, count);
        recorder.end();
        queue.drain(count, arrivals::arrived);
        recorder.count(name, count, stage.arrived());
        if (stage.duplicates() + arrivals.strays() > 0) {
            recorder.problem(name + ": " + stage.duplicates() + " came twice, " + arrivals.strays() + " unexpected");
        }
        for (int i = 0; subject.pending() > 0; i++) {
            if (i > 200) {
                recorder.problem(name + ": " + subject.pending() + " are still stored");
                break;
            }
            Thread.sleep(50);
        }
    }

    /** Measures the time from the first observed message to the last. */
    private void measure(String name, int count) throws InterruptedException {
        long limit = System.nanoTime() + LIMIT.toNanos();
        int first = awaitDepth(1, limit);
        long began = System.nanoTime();
        Cost before = cost();
        int last = awaitDepth(count, limit);
        long micros = Math.max(1, (System.nanoTime() - began) / 1000);
        Cost spent = cost().since(before);
        recorder.metric(name, (last - first) * 1e6 / micros);
        spent.metrics(Math.max(1, last - first), micros)
                .forEach((what, value) -> recorder.metric(what + ", " + name, value));
    }

    /** Waits until the queue has this number of messages, and returns its number. */
    private int awaitDepth(int count, long limit) throws InterruptedException {
        int depth = queue.depth();
        while (depth < count && System.nanoTime() < limit) {
            Thread.sleep(2);
            depth = queue.depth();
        }
        return depth;
    }

    /** Returns the cost until now. */
    private Cost cost() {
        Map<String, Long> servers = (broker == null)
                ? Map.of()
                : Map.of("Redis", recorder.redis().cpuMicros(), "the broker", broker.cpuMicros());
        return new Cost(Effort.now(), servers);
    }
}
