// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import io.delayqueue.benchmarks.server.DatabaseUpkeep;
import io.delayqueue.benchmarks.subject.Task;
import io.delayqueue.benchmarks.transaction.TransactionSubject;
import io.delayqueue.benchmarks.transaction.TransactionSubjects;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * W14: an outbox of 1,000,000 rows that no process has relayed. An application that starts when the leases of all rows
 * have expired drains it. Measures the total rate and the rate of each tenth. If the application started earlier, it
 * would drain the rows as fast as they are written.
 */
final class BacklogWorkload implements Workload {

    private static final int BATCH = 500;
    private static final int WRITERS = 4;
    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final List<String> NAMES =
            List.of("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "last");

    @Override
    public void run(Setting setting, Recorder recorder) throws InterruptedException {
        int rows = setting.size(1_000_000, 100_000);
        try (TransactionSubject writing = TransactionSubjects.open(
                setting.subject(), setting.place(), List.of("delayqueue.jdbc.relay.enabled=false"))) {
            write(writing, rows);
            if (writing.arrived() > 0) {
                recorder.problem(writing.arrived() + " tasks were relayed although the relay was off");
            }
        }
        DatabaseUpkeep.now(setting.place().orders());
        Thread.sleep(LEASE.toMillis());
        long began = System.nanoTime();
        recorder.begin();
        try (TransactionSubject relaying = TransactionSubjects.open(setting.subject(), setting.place(), List.of())) {
            drain(relaying, rows, recorder);
        }
        recorder.end();
        System.out.printf(
                Locale.ROOT, "with the start of the application: %.1f s%n", (System.nanoTime() - began) / 1e9);
    }

    private static void write(TransactionSubject subject, int rows) throws InterruptedException {
        long dueAt = System.currentTimeMillis() + Duration.ofHours(5).toMillis();
        AtomicInteger taken = new AtomicInteger();
        Load.together(WRITERS, () -> {
            for (int first = taken.getAndAdd(BATCH); first < rows; first = taken.getAndAdd(BATCH)) {
                List<Task> tasks = new ArrayList<>(BATCH);
                for (int i = first; i < Math.min(rows, first + BATCH); i++) {
                    tasks.add(Task.of(0, i, dueAt));
                }
                subject.transaction(tasks);
            }
        });
    }

    /** Measures from the moment when the first task is in Redis. */
    private static void drain(TransactionSubject subject, int rows, Recorder recorder) throws InterruptedException {
        long[] tenths = new long[NAMES.size()];
        long limit = System.nanoTime() + Duration.ofMinutes(5).toNanos();
        long arrived = subject.arrived();
        while (arrived == 0 && System.nanoTime() < limit) {
            Thread.sleep(5);
            arrived = subject.arrived();
        }
        long began = System.nanoTime();
        long before = arrived;
        int tenth = 0;
        while (tenth < tenths.length && System.nanoTime() < limit) {
            Thread.sleep(20);
            arrived = subject.arrived();
            while (tenth < tenths.length && arrived >= (long) rows * (tenth + 1) / tenths.length) {
                tenths[tenth++] = System.nanoTime();
            }
        }
        recorder.count("arrived", rows, arrived);
        if (tenth == tenths.length) {
            recorder.metric("rate", (rows - before) * 1e9 / (tenths[tenths.length - 1] - began));
            for (int i = 0; i < tenths.length; i++) {
                long from = i == 0 ? began : tenths[i - 1];
                long tasks = rows / tenths.length - (i == 0 ? before : 0);
                recorder.metric("rate, " + NAMES.get(i) + " tenth", tasks * 1e9 / Math.max(1, tenths[i] - from));
            }
        }
    }
}
