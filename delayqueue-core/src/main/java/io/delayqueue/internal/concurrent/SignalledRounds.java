// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.concurrent;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Work that many threads request, and that one thread at a time does. After each {@link #signal}, a round of the work
 * starts; one round may serve many signals. Thread-safe and non-blocking.
 *
 * <p>Rounds never overlap, and each round sees everything that earlier rounds wrote on any thread. State that only
 * rounds use needs neither a lock nor {@code volatile}. A round should be short. If a round starts an operation that
 * ends later, the round records the operation, and the code that ends it removes the record and signals. Exceptions
 * from a round are logged; pending signals still cause another round.
 */
public final class SignalledRounds {

    private static final Logger log = LoggerFactory.getLogger(SignalledRounds.class);

    /** Maximum number of rounds of a signalling thread; the executor runs further ones. */
    private static final int MOST_HERE = 4;

    private final String failed;
    private final String refused;
    private final Executor executor;
    private final boolean here;
    private final Runnable round;
    private final Runnable idle;
    private final AtomicInteger signals = new AtomicInteger();

    private SignalledRounds(String what, Executor executor, boolean here, Runnable round, Runnable idle) {
        this.failed = what + " failed once";
        this.refused = what + " waits for the next signal: {}";
        this.executor = executor;
        this.here = here;
        this.round = round;
        this.idle = idle;
    }

    /**
     * Runs rounds on the signalling thread, before {@link #signal} returns, unless another thread is running them.
     * After a few rounds the executor continues; if it refuses, this thread continues.
     *
     * @param what name of the work, to start a log message
     */
    public static SignalledRounds here(String what, Executor executor, Runnable round) {
        return here(what, executor, round, () -> {});
    }

    /**
     * Runs rounds on the signalling thread.
     *
     * @param idle runs after the last round; {@link #isIdle} is then true unless there was another signal
     */
    public static SignalledRounds here(String what, Executor executor, Runnable round, Runnable idle) {
        return new SignalledRounds(what, executor, true, round, idle);
    }

    /**
     * Runs each round as a separate step of an executor, so that other work can run in between. If the executor refuses
     * the step, this drops the signals so far and retries at the next signal.
     *
     * @param what name of the work, to start a log message
     * @param idle runs after the last round; {@link #isIdle} is then true unless there was another signal
     */
    public static SignalledRounds on(String what, Executor executor, Runnable round, Runnable idle) {
        return new SignalledRounds(what, executor, false, round, idle);
    }

    /** Requests a round that starts later than this call. Never throws. */
    public void signal() {
        if (begins()) {
            run();
        }
    }

    /**
     * Signals without running rounds. The caller runs them, so that the stack stays shallow.
     *
     * @return whether the caller has to call {@link #run} at once
     */
    boolean begins() {
        return signals.getAndIncrement() == 0 && (here || !isHandedOver());
    }

    /** Requests a round on the executor, unless the executor refuses it. */
    public void signalElsewhere() {
        if (signals.getAndIncrement() == 0 && !isHandedOver()) {
            run();
        }
    }

    /** Returns whether a round has completed since the last signal, apart from refused signals. */
    public boolean isIdle() {
        return signals.get() == 0;
    }

    /** Runs rounds until no signal is left. Call this after {@link #begins}. */
    void run() {
        do {
            for (int i = 0; i < (here ? MOST_HERE : 1); i++) {
                int seen = signals.get();
                try {
                    round.run();
                } catch (Throwable ex) {
                    Guard.tell(() -> log.error(failed, ex));
                }
                if (signals.addAndGet(-seen) == 0) {
                    Guard.run(log, failed, idle);
                    return;
                }
            }
        } while (!isHandedOver());
    }

    /** Returns whether this thread has nothing left to do. */
    private boolean isHandedOver() {
        try {
            executor.execute(this::run);
            return true;
        } catch (Throwable ex) {
            if (here) {
                return false;
            }
            signals.set(0);
            Guard.tell(() -> tellRefused(ex));
            return true;
        }
    }

    private void tellRefused(Throwable error) {
        if (error instanceof RejectedExecutionException) {
            log.debug(refused, "its threads have ended");
        } else {
            log.error(refused, "it could not be executed", error);
        }
    }
}
