// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import io.delayqueue.benchmarks.server.BrokerQueue;
import io.delayqueue.benchmarks.subject.Subject;
import java.time.Duration;

/** Tasks that are all due in the same millisecond, delivered to a queue of the broker. */
final class BrokerFlood {

    private static final int WARM_UP = 10_000;
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final Subject subject;
    private final BrokerQueue queue;
    private final Load load;
    private double scheduledPerSecond = 5_000;

    BrokerFlood(Subject subject, BrokerQueue queue) {
        this.subject = subject;
        this.queue = queue;
        this.load = new Load(subject);
    }

    /** Small floods, due at once, for so long; leaves the queue empty. */
    void warmUp(Duration time) throws InterruptedException {
        long end = System.nanoTime() + time.toNanos();
        do {
            Duration took = load.inBatches(WARM_UP, System.currentTimeMillis());
            scheduledPerSecond = WARM_UP / (took.toNanos() / 1e9);
            rateUntilFull(WARM_UP);
            queue.purge();
        } while (System.nanoTime() < end);
    }

    /** Schedules so many, waits until the broker has all, and answers how many it got a second. */
    double drain(String name, int count, Recorder recorder) throws InterruptedException {
        Arrivals arrivals = new Arrivals();
        Stage stage = arrivals.expect(load.next(), count);
        long dueAt = System.currentTimeMillis() + 1000 + (long) (2000 * count / scheduledPerSecond);
        load.inBatches(count, dueAt);
        if (dueAt < System.currentTimeMillis()) {
            recorder.problem(name + ": scheduling took longer than until the tasks were due");
        } else {
            Thread.sleep(Math.max(0, dueAt - System.currentTimeMillis() - 20));
        }
        recorder.begin();
        double rate = rateUntilFull(count);
        recorder.end();
        queue.drain(count, arrivals::arrived);
        recorder.count(name, count, stage.arrived());
        if (stage.duplicates() + arrivals.strays() > 0) {
            recorder.problem(name + ": " + stage.duplicates() + " came twice, " + arrivals.strays() + " unexpected");
        }
        if (stage.early() > 0) {
            recorder.problem(name + ": " + stage.early() + " came early");
        }
        for (int i = 0; subject.pending() > 0; i++) {
            if (i > 200) {
                recorder.problem(name + ": " + subject.pending() + " are still stored");
                break;
            }
            Thread.sleep(50);
        }
        return rate;
    }

    private double rateUntilFull(int count) throws InterruptedException {
        long limit = System.nanoTime() + LIMIT.toNanos();
        int depth = queue.depth();
        while (depth == 0 && System.nanoTime() < limit) {
            Thread.sleep(2);
            depth = queue.depth();
        }
        int first = depth;
        long began = System.nanoTime();
        while (depth < count && System.nanoTime() < limit) {
            Thread.sleep(2);
            depth = queue.depth();
        }
        return (depth - first) * 1e9 / (System.nanoTime() - began);
    }
}
