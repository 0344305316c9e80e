// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import io.delayqueue.benchmarks.subject.Subjects;
import io.delayqueue.benchmarks.subject.Task;
import io.delayqueue.benchmarks.transaction.TransactionSubject;
import io.delayqueue.benchmarks.transaction.TransactionSubjects;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * W13: the time from the return of the commit until Redis has confirmed the task, at 500 transactions a second by 8
 * threads. Namastack Outbox gets 5 transactions a second, because it relays 5 per second by default.
 */
final class CommitLatencyWorkload implements Workload {

    private static final int THREADS = 8;

    @Override
    public void run(Setting setting, Recorder recorder) throws InterruptedException {
        boolean slow = setting.subject().equals(Subjects.NAMASTACK);
        int perSecond = slow ? 4 : 500;
        String suffix = slow ? ", 4 a second" : "";
        try (TransactionSubject subject = TransactionSubjects.open(setting.subject(), setting.place(), List.of())) {
            int warmUps = perSecond * setting.size(10, 6);
            run(subject, 0, warmUps, perSecond * 2, new long[warmUps]);
            TransactionWorkload.awaitRelayed(subject, warmUps, recorder);
            int count = perSecond * setting.size(30, 12);
            long[] committed = new long[count];
            recorder.begin();
            Pace pace = run(subject, warmUps, count, perSecond, committed);
            recorder.end();
            pace.record("sent a second" + suffix, recorder);
            recorder.count("arrived", warmUps + count, TransactionWorkload.awaitArrived(subject, warmUps + count));
            double[] millis = IntStream.range(0, count)
                    .filter(i -> subject.arrivedNanos(warmUps + i) != 0)
                    .mapToDouble(i -> Math.max(0, (subject.arrivedNanos(warmUps + i) - committed[i]) / 1e6))
                    .sorted()
                    .toArray();
            if (millis.length < count) {
                recorder.problem("Redis was not seen to store " + (count - millis.length) + " of " + count + " tasks");
            }
            if (millis.length > 0) {
                recorder.metric("p50" + suffix, millis[millis.length / 2]);
                recorder.metric("p99" + suffix, millis[millis.length * 99 / 100]);
                recorder.metric("max" + suffix, millis[millis.length - 1]);
            }
        }
    }

    /** Records when each transaction's call returned, and returns when all have ended. */
    private static Pace run(TransactionSubject subject, long first, int count, int perSecond, long[] committed)
            throws InterruptedException {
        long dueAt = System.currentTimeMillis() + Duration.ofHours(1).toMillis();
        Pace pace = new Pace(perSecond, THREADS, (index, planned) -> {
            subject.transaction(List.of(Task.of(0, first + index, dueAt)));
            committed[(int) index] = System.nanoTime();
        });
        pace.run(count);
        return pace;
    }
}
