// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import io.delayqueue.benchmarks.server.Place;
import io.delayqueue.benchmarks.subject.DelayqueueSubject;
import io.delayqueue.benchmarks.subject.Need;
import io.delayqueue.benchmarks.subject.Sink;
import io.delayqueue.benchmarks.subject.Subject;
import io.delayqueue.benchmarks.subject.Subjects;
import io.delayqueue.benchmarks.subject.Task;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;

/** A JVM that handles one queue with its subject. Its input controls it; it ends when the input ends. */
public final class Worker implements Sink {

    static final String READY = "READY";

    private final AtomicLong arrived = new AtomicLong();
    private final AtomicLong firstAt = new AtomicLong();
    private final AtomicLong lastAt = new AtomicLong();
    private final AtomicLong marks = new AtomicLong();
    private final AtomicLong wrong = new AtomicLong();
    private volatile long from = Long.MAX_VALUE;
    private volatile long to;
    private long emptyBefore;
    private volatile Effort effortBefore = Effort.now();

    private Worker() {}

    /** Arguments: subject, URI of Redis, whether it is a cluster, shards, first part of the keys. */
    public static void main(String[] arguments) throws IOException {
        Worker worker = new Worker();
        Place place = new Place(URI.create(arguments[1]), Boolean.parseBoolean(arguments[2]), null, 0);
        Need need = Need.toHandle(1, worker).sharded(Integer.parseInt(arguments[3]), arguments[4]);
        boolean counted = arguments[0].equals(Subjects.DELAYQUEUE);
        try (Subject subject =
                        counted ? DelayqueueSubject.counted(place, need) : Subjects.open(arguments[0], place, need);
                BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            System.out.println(READY);
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                worker.obey(line.split(" "), subject);
            }
        }
        System.exit(0);
    }

    private void obey(String[] words, Subject subject) {
        if (words[0].equals("begin")) {
            arrived.set(0);
            firstAt.set(Long.MAX_VALUE);
            lastAt.set(0);
            marks.set(0);
            wrong.set(0);
            to = Long.parseLong(words[1]) + Long.parseLong(words[2]);
            from = Long.parseLong(words[1]);
            effortBefore = Effort.now();
            emptyBefore = empty(subject);
            System.out.println(READY);
        } else {
            long empty = empty(subject) - emptyBefore;
            Tally tally = new Tally(arrived.get(), firstAt.get(), lastAt.get(), marks.get(), wrong.get());
            System.out.println(new WorkerReport(tally, empty, Effort.now().since(effortBefore)).line());
        }
    }

    /** Returns the number of acquires without tasks; 0 for other subjects, because it is unknown. */
    private static long empty(Subject subject) {
        return (subject instanceof DelayqueueSubject counted)
                ? counted.acquires().empty()
                : 0;
    }

    @Override
    public void arrived(String payload) {
        long number = Task.numberIn(payload);
        long now = Stage.nowMicros();
        boolean isMine = number >= from && number < to;
        if (isMine) {
            arrived.incrementAndGet();
            marks.addAndGet(Tally.mark(number));
            if (now < firstAt.get() && firstAt.getAndAccumulate(now, Math::min) == Long.MAX_VALUE) {
                effortBefore = Effort.now();
            }
            lastAt.accumulateAndGet(now, Math::max);
        }
        if (!isMine || now < Task.dueIn(payload) * 1000) {
            wrong.incrementAndGet();
        }
    }
}
