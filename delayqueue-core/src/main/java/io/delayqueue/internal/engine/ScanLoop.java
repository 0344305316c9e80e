// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.concurrent.SignalledRounds;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the passes of a poller, one at a time, after each signal and each alarm. A pass runs on the signalling thread to
 * avoid thread switches: the timer's thread, or the driver's after a reply of Redis. If the destination may run
 * application code, passes run on the engine's scanning threads instead. If a pass throws, the exception is logged and
 * a pause follows.
 */
final class ScanLoop {

    private static final Logger log = LoggerFactory.getLogger(ScanLoop.class);

    private static final long LOOK_AGAIN_MILLIS = 100;

    private final String queue;
    private final EngineThreads threads;
    private final TimingWheel wheel;
    private final Duration pause;
    private final Runnable pass;
    private final SignalledRounds rounds;
    private final Object passes = new Object();
    private volatile TimingWheel.@Nullable Alarm alarm;
    private long pauseUntil = System.nanoTime();
    private volatile boolean ending;

    /**
     * @param onSignallingThread whether passes may run on the signalling thread
     * @param pause how long to wait after a pass that threw
     * @param pass the pass, never run concurrently
     */
    ScanLoop(String queue, EngineThreads threads, boolean onSignallingThread, Duration pause, Runnable pass) {
        this.queue = queue;
        this.threads = threads;
        this.wheel = threads.wheel();
        this.pause = pause;
        this.pass = pass;
        String what = "Queue '" + queue + "': scanning";
        this.rounds = onSignallingThread
                ? SignalledRounds.here(what, threads::scan, this::passOrPause, this::passed)
                : SignalledRounds.on(what, threads::scanWithApplication, this::passOrPause, this::passed);
    }

    /**
     * Requests a pass, on this thread if possible. Only threads of the library and of the driver may call this. Does
     * not block.
     */
    void signal() {
        rounds.signal();
    }

    /** Requests a pass on a scanning thread. Thread-safe; does not block. */
    void signalElsewhere() {
        rounds.signalElsewhere();
    }

    /**
     * Schedules a pass, unless an earlier one is scheduled, which will then schedule the next. Only a pass may call
     * this.
     */
    void comeBackAt(long nanoTime) {
        TimingWheel.Alarm current = alarm;
        if (current != null && current.nanoTime() - System.nanoTime() > 0) {
            if (current.nanoTime() - nanoTime <= 0) {
                return;
            }
            alarm = null; // Setting the next one may throw.
            current.cancel();
        }
        alarm = wheel.at(nanoTime, this::signalUnlessLate);
    }

    /**
     * Requests a pass on this thread, or on a scanning thread if the timer is late. When many queues are due together,
     * their passes share the scanning threads in this way.
     */
    private void signalUnlessLate() {
        if (threads.timerIsBehind()) {
            signalElsewhere();
        } else {
            signal();
        }
    }

    /**
     * Returns whether an earlier pass threw so recently that this one must not start anything. Another pass follows the
     * pause.
     */
    boolean isPausing(long now) {
        if (pauseUntil - now <= 0) {
            return false;
        }
        comeBackAt(pauseUntil);
        return true;
    }

    /** Ends scanning. Passes no longer start anything, but still process replies. Thread-safe. */
    void end() {
        ending = true;
        signalElsewhere();
    }

    boolean isEnding() {
        return ending;
    }

    /**
     * Waits until no pass is running or requested and everything else has ended. Call it after {@link #end}.
     *
     * @param elsewhere returns whether everything else has ended; whenever something ends, a signal must follow
     */
    boolean awaitIdle(BooleanSupplier elsewhere, Duration timeout) throws InterruptedException {
        long end = System.nanoTime() + timeout.toNanos();
        synchronized (passes) {
            while (!rounds.isIdle() || !elsewhere.getAsBoolean()) {
                long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
                if (left <= 0) {
                    return false;
                }
                passes.wait(Math.min(left, LOOK_AGAIN_MILLIS));
            }
        }
        return true;
    }

    /** Cancels the scheduled pass. Call it after {@link #end}. */
    void close() {
        TimingWheel.Alarm last = alarm;
        if (last != null) {
            last.cancel();
        }
    }

    private void passOrPause() {
        try {
            pass.run();
        } catch (Throwable ex) {
            Guard.tell(() -> log.error("Queue '{}': scanning failed; retrying after the max-idle-interval", queue, ex));
            pauseUntil = System.nanoTime() + pause.toNanos();
            if (!Guard.run(log, "Could not schedule the next scan; running it now", () -> comeBackAt(pauseUntil))) {
                signalElsewhere();
            }
        }
    }

    private void passed() {
        if (ending) {
            synchronized (passes) {
                passes.notifyAll();
            }
        }
    }
}
