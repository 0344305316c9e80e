// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import io.delayqueue.benchmarks.server.DatabaseUpkeep;
import io.delayqueue.benchmarks.subject.Subjects;
import io.delayqueue.benchmarks.subject.Task;
import io.delayqueue.benchmarks.transaction.TransactionSubject;
import io.delayqueue.benchmarks.transaction.TransactionSubjects;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** W12: transactions a second that insert one order and schedule its task, due in an hour. */
final class TransactionWorkload implements Workload {

    private static final Duration ARRIVE = Duration.ofSeconds(30);

    /** The time until callers have noticed arrivals and the rows are deleted from the outbox. */
    private static final Duration SETTLE = Duration.ofMillis(500);

    @Override
    public void run(Setting setting, Recorder recorder) throws InterruptedException {
        AtomicLong numbers = new AtomicLong();
        try (TransactionSubject subject = TransactionSubjects.open(setting.subject(), setting.place(), List.of())) {
            // Namastack relays 5 records per second by default, so the number of waiting records grows during the
            // measurement.
            boolean relaysAll = !setting.subject().equals(Subjects.NAMASTACK);
            transactions(subject, numbers, 8, Duration.ofMillis(setting.size(6000, 3000)));
            for (int threads : new int[] {1, 8}) {
                if (relaysAll) {
                    awaitRelayed(subject, numbers.get(), recorder);
                }
                DatabaseUpkeep.now(setting.place().orders());
                recorder.begin();
                long before = numbers.get();
                Duration time = Duration.ofMillis(setting.size(6000, 3000));
                long began = System.nanoTime();
                transactions(subject, numbers, threads, time);
                double seconds = (System.nanoTime() - began) / 1e9;
                recorder.metric(threads + (threads == 1 ? " thread" : " threads"), (numbers.get() - before) / seconds);
                recorder.end();
            }
            if (relaysAll) {
                recorder.count("arrived", numbers.get(), awaitArrived(subject, numbers.get()));
            }
        }
    }

    /** Waits for the relay of earlier operations, so that it does not happen during the next measurement. */
    static void awaitRelayed(TransactionSubject subject, long count, Recorder recorder) throws InterruptedException {
        long arrived = awaitArrived(subject, count);
        if (arrived < count) {
            recorder.problem("before it was measured: " + arrived + " of " + count + " tasks arrived");
        }
    }

    private static void transactions(TransactionSubject subject, AtomicLong numbers, int threads, Duration time)
            throws InterruptedException {
        long end = System.nanoTime() + time.toNanos();
        long dueAt = System.currentTimeMillis() + Duration.ofHours(1).toMillis();
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Thread thread = new Thread(() -> {
                while (System.nanoTime() < end) {
                    subject.transaction(List.of(Task.of(0, numbers.getAndIncrement(), dueAt)));
                }
            });
            thread.start();
            all.add(thread);
        }
        for (Thread thread : all) {
            thread.join();
        }
    }

    static long awaitArrived(TransactionSubject subject, long count) throws InterruptedException {
        long end = System.nanoTime() + ARRIVE.toNanos();
        long arrived = subject.arrived();
        while (arrived < count && System.nanoTime() < end) {
            Thread.sleep(100);
            arrived = subject.arrived();
        }
        Thread.sleep(SETTLE.toMillis());
        return arrived;
    }
}
