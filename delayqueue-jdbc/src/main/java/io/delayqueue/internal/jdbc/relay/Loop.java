// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.relay;

import io.delayqueue.internal.concurrent.NamedThreads;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A thread that runs rounds of work until it is stopped, with a pause between rounds. A signal ends the pause. */
final class Loop {

    private static final Logger log = LoggerFactory.getLogger(Loop.class);
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

    private final String name;
    private final Supplier<Duration> round;
    private final Semaphore signals = new Semaphore(0);
    private volatile @Nullable Thread thread;
    private volatile boolean running;

    /** @param round a round of work, which returns the pause before the next */
    Loop(String name, Supplier<Duration> round) {
        this.name = name;
        this.round = round;
    }

    /** Starts a thread, which waits for an earlier one whose last round has not ended. */
    synchronized void start() {
        Thread before = thread;
        running = true;
        Thread next = NamedThreads.daemons(name + "-").newThread(() -> run(before));
        thread = next;
        next.start();
    }

    /** Ends the current pause, or skips the next one. Does not block. */
    void signal() {
        if (signals.availablePermits() == 0) {
            signals.release();
        }
    }

    boolean isRunning() {
        return running;
    }

    /** Prevents further rounds. Does not block. */
    void end() {
        running = false;
        signal();
    }

    /** Waits for the current round to end, and returns whether it has. */
    synchronized boolean awaitEnd(Duration timeout) throws InterruptedException {
        Thread last = thread;
        if (last == null) {
            return true;
        }
        last.join(Math.max(1, timeout.toMillis()));
        return !last.isAlive();
    }

    private void run(@Nullable Thread before) {
        try {
            if (before != null) {
                before.join();
            }
            while (isCurrent()) {
                Duration pause = oneRound();
                if (isCurrent() && (pause.isZero() || signals.tryAcquire(pause.toNanos(), TimeUnit.NANOSECONDS))) {
                    signals.drainPermits();
                }
            }
        } catch (InterruptedException ex) {
            log.debug("{} was interrupted", name);
        }
    }

    private boolean isCurrent() {
        return running && thread == Thread.currentThread();
    }

    private Duration oneRound() {
        try {
            return round.get();
        } catch (Throwable ex) {
            log.error("A round of {} failed; continuing with the next", name, ex);
            return AFTER_FAILURE;
        }
    }
}
