// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.soak;

import io.delayqueue.faults.cell.Cell;
import io.delayqueue.faults.cell.IntakeServers;
import io.delayqueue.faults.cell.Scene;
import io.delayqueue.faults.history.HistoryWriter;
import java.time.Duration;

/** The cell of a soak: the usual load, occasional faults, and continuous samples. */
record SoakCell(SoakOptions options, SoakRecord record) {

    static final String NAME = "soak";

    /** The duration of a fault that defines none. */
    private static final Duration FAULT = Duration.ofSeconds(12);

    /**
     * Returns a cell with two applications of a hundred tasks per second each. Keys have limits, and the calls for one
     * queue are messages for an intake. Tasks die only because of faults: dead tasks are kept, so their number would
     * grow.
     */
    Cell cell() {
        return Cell.of(NAME, "Hours of load with a fault now and then", this::happen)
                .on(IntakeServers::new)
                .lasting(options.length())
                .withKeyLimits()
                .with("faults.per-second=100", "faults.dead-percent=0");
    }

    private void happen(Scene scene) throws Exception {
        SoakFaults faults = new SoakFaults(options.seed().random("soak"));
        long begin = System.nanoTime();
        record.write(new RunFacts(
                HistoryWriter.micros(),
                options.length().toSeconds(),
                options.between().toSeconds(),
                options.seed().value(),
                RunFacts.here(scene.servers().versions())));
        try (Sampler sampler = new Sampler(record, scene, options.length(), options.heapEvery())) {
            sampler.start();
            // After the last fault, deliveries must be on time for as long as between two faults.
            for (long next = 1; next < options.length().dividedBy(options.between()); next++) {
                pauseUntil(scene, begin + options.between().multipliedBy(next).toNanos());
                perform(faults.next(), scene, sampler);
            }
            pauseUntil(scene, begin + options.length().toNanos());
        }
    }

    private static void pauseUntil(Scene scene, long nanos) throws InterruptedException {
        long left = nanos - System.nanoTime();
        if (left > 0) {
            scene.pause(Duration.ofNanos(left));
        }
    }

    private void perform(Cell cell, Scene scene, Sampler sampler) throws Exception {
        System.err.println("soak: " + cell.name());
        Disturbance fault = new Disturbance(cell.name(), cell.description(), HistoryWriter.micros(), null);
        record.write(fault);
        sampler.during(cell.name());
        cell.fault().happen(scene.ofLength(FAULT));
        sampler.watch(scene);
        sampler.during(null);
        record.write(fault.endedAt(HistoryWriter.micros()));
    }
}
