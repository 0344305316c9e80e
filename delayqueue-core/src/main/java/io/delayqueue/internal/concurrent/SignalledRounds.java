// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.concurrent;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Work that many threads ask for and one does at a time. Whoever asks calls {@link #signal}; a round of the work
 * follows that begins after the call did, and one round may serve many signals. Safe for use by many threads; nothing
 * waits.
 *
 * <p>Rounds never overlap, and whatever one of them wrote is visible to the next, whichever thread that runs on: what
 * only rounds touch needs neither lock nor {@code volatile}. A round should be short. Where it begins something that
 * ends later, it leaves a note that this is under way, and whoever ends it removes the note and signals. What a round
 * throws is logged, and the signals that came meanwhile are followed by a round all the same.
 */
public final class SignalledRounds {

    private static final Logger log = LoggerFactory.getLogger(SignalledRounds.class);

    /** Whoever signals and finds others signalling more and more leaves the rest to the executor. */
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
     * Rounds on the thread that signals, before {@link #signal} returns, unless another one is at it. After a few of
     * them the executor goes on; if it refuses, that thread does.
     *
     * @param what the work, at the beginning of a sentence in the log
     */
    public static SignalledRounds here(String what, Executor executor, Runnable round) {
        return here(what, executor, round, () -> {});
    }

    /**
     * Rounds on the thread that signals.
     *
     * @param idle run after a round that no other one follows; {@link #isIdle} is true by then unless there was another
     *     signal
     */
    public static SignalledRounds here(String what, Executor executor, Runnable round, Runnable idle) {
        return new SignalledRounds(what, executor, true, round, idle);
    }

    /**
     * Rounds on an executor, each a step of its own there, so that others who share it have their turn. If it refuses
     * one, the signals up to then are forgotten, and the next signal tries again.
     *
     * @param what the work, at the beginning of a sentence in the log
     * @param idle run after a round that no other one follows; {@link #isIdle} is true by then unless there was another
     *     signal
     */
    public static SignalledRounds on(String what, Executor executor, Runnable round, Runnable idle) {
        return new SignalledRounds(what, executor, false, round, idle);
    }

    /** Has a round follow that begins later than this call. Throws nothing. */
    public void signal() {
        if (begins()) {
            run();
        }
    }

    /**
     * Signals, but leaves the rounds to the caller, whose stack is flatter by that.
     *
     * @return whether the caller has to call {@link #run} at once
     */
    boolean begins() {
        return signals.getAndIncrement() == 0 && (here || !isHandedOver());
    }

    /** The same, but the round runs on the executor in any case, unless that refuses it. */
    public void signalElsewhere() {
        if (signals.getAndIncrement() == 0 && !isHandedOver()) {
            run();
        }
    }

    /** Whether every signal so far was followed by a round that has ended, or was refused. */
    public boolean isIdle() {
        return signals.get() == 0;
    }

    /** Runs rounds until no signal is left. To be called after {@link #begins}. */
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

    /** Whether there is nothing left to do for this thread. */
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
            log.error(refused, "it could not be run", error);
        }
    }
}
