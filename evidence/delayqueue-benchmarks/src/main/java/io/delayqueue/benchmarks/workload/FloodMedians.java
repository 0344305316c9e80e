// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import java.util.Map;

/**
 * Floods of the same size. The median of each value counts, because a single flood of a second depends too much on the
 * other load of the machine.
 */
final class FloodMedians {

    private final String name;
    private final int count;
    private final boolean costIsKnown;
    private final Recorder recorder;
    private final Medians medians = new Medians();

    /** @param costIsKnown whether the subject uses processor time only in this JVM and in Redis */
    FloodMedians(String name, int count, boolean costIsKnown, Recorder recorder) {
        this.name = name;
        this.count = count;
        this.costIsKnown = costIsKnown;
        this.recorder = recorder;
    }

    /** Makes one more flood and returns its duration in seconds. */
    double add(Flood flood) throws InterruptedException {
        Cost[] before = new Cost[1];
        double rate = flood.drain(name, count, recorder, () -> {}, () -> before[0] = cost());
        Cost spent = cost().since(before[0]);
        medians.add(name, rate);
        if (costIsKnown) {
            spent.metrics(count, (long) (count * 1e6 / rate))
                    .forEach((what, value) -> medians.add(what + ", " + name, value));
        }
        return count / rate;
    }

    private Cost cost() {
        return new Cost(Effort.now(), Map.of("Redis", recorder.redis().cpuMicros()));
    }

    void record() {
        medians.record(recorder);
    }
}
