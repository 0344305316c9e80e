// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import io.delayqueue.benchmarks.subject.Sink;
import io.delayqueue.benchmarks.subject.Task;
import java.util.concurrent.atomic.AtomicLong;

/** Counts arrivals in stages. Each stage expects a range of numbers. */
final class Arrivals implements Sink {

    private final AtomicLong strays = new AtomicLong();
    private volatile Stage stage = new Stage(0, 0);

    /** Expects these numbers from now on. */
    Stage expect(long first, int count) {
        Stage next = new Stage(first, count);
        stage = next;
        return next;
    }

    /** Returns the number of unexpected arrivals: late arrivals of an earlier stage, or duplicates. */
    long strays() {
        return strays.get();
    }

    @Override
    public void arrived(String payload) {
        arrived(payload, Stage.nowMicros());
    }

    @Override
    public void arrived(String payload, long atMicros) {
        if (!stage.arrived(Task.numberIn(payload), Task.dueIn(payload), atMicros)) {
            strays.incrementAndGet();
        }
    }
}
