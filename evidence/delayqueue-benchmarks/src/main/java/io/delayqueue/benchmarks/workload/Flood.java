// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import io.delayqueue.benchmarks.subject.Subject;
import java.time.Duration;

/** Tasks that are all due in the same millisecond, delivered to the application. */
final class Flood {

    private static final int LEAST_WARM_UP = 100;
    private static final int MOST_WARM_UP = 10_000;

    /** Rate below which a subject mostly waits for replies and not for processors. */
    private static final double SLOW = 5_000;

    private static final Duration LIMIT_OF_SLOW = Duration.ofSeconds(60);
    private static final Duration A_LOOK = Duration.ofSeconds(5);
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    /** Time limit of a flood; long enough for 50,000 tasks of a subject that delivers 300 per second. */
    private static final Duration LIMIT = Duration.ofSeconds(180);

    private final Subject subject;
    private final Arrivals arrivals;
    private final Load load;
    private double scheduledPerSecond = 5_000;
    private double warmedPerSecond;
    private double fromDue;

    Flood(Subject subject, Arrivals arrivals, Load load) {
        this.subject = subject;
        this.arrivals = arrivals;
        this.load = load;
    }

    /**
     * Calls {@link #warmUp} until the compilers take a small share of this JVM's processor time. Ends at the limit, or
     * after a minute for a slow subject, whose JVM does so little that the share of the compilers is large.
     */
    void warmUpUntilCompiled(Duration time, Duration limit, Recorder recorder) throws InterruptedException {
        long began = System.nanoTime();
        warmUp(time, recorder);
        boolean isCompiling;
        Duration most;
        do {
            isCompiling = warmUpMore(recorder);
            most = (warmedPerSecond < SLOW && limit.compareTo(LIMIT_OF_SLOW) > 0) ? LIMIT_OF_SLOW : limit;
        } while (isCompiling && System.nanoTime() - began < most.toNanos());
    }

    /**
     * Calls {@link #warmUp} for five more seconds. Returns whether compilers took more than a small share of that time.
     */
    boolean warmUpMore(Recorder recorder) throws InterruptedException {
        Effort before = Effort.now();
        warmUp(A_LOOK, recorder);
        return Effort.now().since(before).isCompiling();
    }

    /**
     * Makes small floods, due at once, for this time. The floods grow while they take less than a second, so that a
     * slow subject has no tasks of the warm-up left when the measurement starts.
     */
    void warmUp(Duration time, Recorder recorder) throws InterruptedException {
        long end = System.nanoTime() + time.toNanos();
        int count = LEAST_WARM_UP;
        do {
            long began = System.nanoTime();
            Stage stage = arrivals.expect(load.next(), count);
            Duration took = load.inBatches(count, System.currentTimeMillis());
            scheduledPerSecond = count / (took.toNanos() / 1e9);
            stage.await(PATIENCE, LIMIT);
            if (stage.arrived() < count) {
                recorder.problem("warm-up: " + stage.arrived() + " of " + count + " tasks");
                return;
            }
            warmedPerSecond = stage.rate();
            if (System.nanoTime() - began < 1_000_000_000) {
                count = Math.min(MOST_WARM_UP, 10 * count);
            }
        } while (System.nanoTime() < end);
    }

    /** Schedules this number of tasks, waits for all, and returns the delivery rate per second. */
    double drain(String name, int count, Recorder recorder) throws InterruptedException {
        return drain(name, count, recorder, () -> {}, () -> {});
    }

    /**
     * Drains a flood like the method above, and runs an action when the tasks are stored and another when they are due.
     */
    double drain(String name, int count, Recorder recorder, Runnable whenStored, Runnable whenDue)
            throws InterruptedException {
        long pendingBefore = subject.pending(Load.QUEUE);
        Stage stage = arrivals.expect(load.next(), count);
        long dueAt = System.currentTimeMillis() + 1000 + (long) (2000 * count / scheduledPerSecond);
        load.inBatches(count, dueAt);
        whenStored.run();
        long early = dueAt - System.currentTimeMillis();
        if (early < 0) {
            recorder.problem(name + ": scheduling took longer than until the tasks were due");
        } else {
            Thread.sleep(early);
        }
        whenDue.run();
        recorder.begin();
        stage.await(PATIENCE, LIMIT);
        double rate = stage.rate();
        fromDue = stage.rateSince(dueAt * 1000);
        recorder.end();
        recorder.count(name, count, stage.arrived());
        if (stage.duplicates() > 0) {
            recorder.problem(name + ": " + stage.duplicates() + " came twice");
        }
        if (stage.early() > 0) {
            recorder.problem(name + ": " + stage.early() + " came early");
        }
        awaitDone(name, pendingBefore, recorder);
        return rate;
    }

    /**
     * Returns the delivery rate of the last flood since the due time, which includes the pause of a subject that polls.
     */
    double fromDue() {
        return fromDue;
    }

    private void awaitDone(String name, long pendingBefore, Recorder recorder) throws InterruptedException {
        for (int i = 0; subject.pending(Load.QUEUE) > pendingBefore; i++) {
            if (i > 200) {
                recorder.problem(name + ": " + (subject.pending(Load.QUEUE) - pendingBefore) + " are still stored");
                return;
            }
            Thread.sleep(50);
        }
    }
}
