// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import io.delayqueue.benchmarks.subject.Subject;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Tasks that are all due in the same millisecond, drained by several processes. */
final class ProcessesFlood {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final String name;
    private final Subject subject;
    private final List<WorkerProcess> workers;
    private final Recorder recorder;
    private final Load load;
    private Duration filling = Duration.ofSeconds(5);

    /**
     * @param name suffix of the names of all records
     * @param subject the subject that schedules, in this process
     */
    ProcessesFlood(String name, Subject subject, List<WorkerProcess> workers, Recorder recorder) {
        this.name = name;
        this.subject = subject;
        this.workers = workers;
        this.recorder = recorder;
        this.load = new Load(subject);
    }

    /**
     * Makes floods, at most up to the limit, until each process has handled as many tasks as a flood contains and its
     * compilers are almost idle. Processes whose code is not compiled yet do not represent processes that run for days.
     */
    void warmUp(int count, Duration limit) throws InterruptedException {
        long began = System.nanoTime();
        boolean isWarm = false;
        while (!isWarm && System.nanoTime() - began < limit.toNanos()) {
            long first = load.next();
            workers.forEach(worker -> worker.begin(first, count));
            filling = load.inBatches(count, System.currentTimeMillis() + 2000);
            awaitNonePending();
            check("warm-up" + name, together().tally(), first, count);
            isWarm = workers.stream().allMatch(worker -> worker.isWarm(count));
        }
        // This line in the log of the run shows the remaining work of the compilers.
        System.out.printf(
                "warm-up%s: %s after %d s%n",
                name, isWarm ? "compiled" : "still compiling", (System.nanoTime() - began) / 1_000_000_000);
    }

    /** Schedules this number of tasks, waits for all, and records the rate and the cost. */
    WorkerReport drain(int count) throws InterruptedException {
        long first = load.next();
        workers.forEach(worker -> worker.begin(first, count));
        // The floods of the warm-up are drained while they are stored, so this flood is stored sooner.
        long dueAt = System.currentTimeMillis() + 1000 + filling.toMillis() * 3 / 2;
        load.inBatches(count, dueAt);
        long early = dueAt - System.currentTimeMillis();
        if (early < 0) {
            recorder.problem(name + ": scheduling took longer than until the tasks were due");
        } else {
            Thread.sleep(early);
        }
        recorder.begin();
        long redisCpu = recorder.redis().cpuMicros();
        awaitNonePending();
        redisCpu = recorder.redis().cpuMicros() - redisCpu;
        recorder.end();
        WorkerReport sum = together();
        recorder.metric("rate" + name, sum.tally().rate());
        new Cost(sum.effort(), Map.of("Redis", redisCpu))
                .metrics(count, sum.tally().micros())
                .forEach((what, value) -> recorder.metric(what + name, value));
        recorder.count("handled" + name, count, sum.tally().arrived());
        recorder.count("done" + name, 0, subject.pending());
        check("handled" + name, sum.tally(), first, count);
        return sum;
    }

    /** Checks every number. */
    private void check(String what, Tally tally, long first, int count) {
        if (!tally.isEachOnce(first, count)) {
            recorder.problem(what + ": " + tally.arrived() + " of " + count + " tasks, or not each of them once");
        }
        if (tally.wrong() > 0) {
            recorder.problem(what + ": " + tally.wrong() + " came early or were not expected");
        }
    }

    private WorkerReport together() {
        return workers.stream().map(WorkerProcess::report).reduce(WorkerReport.NONE, WorkerReport::plus);
    }

    private void awaitNonePending() throws InterruptedException {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (subject.pending() > 0 && System.nanoTime() < end) {
            Thread.sleep(100);
        }
    }
}
