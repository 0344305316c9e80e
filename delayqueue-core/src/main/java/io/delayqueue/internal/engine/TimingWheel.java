// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.internal.concurrent.NamedThreads;
import io.delayqueue.internal.concurrent.Seam;
import io.delayqueue.internal.concurrent.SteadyThread;
import io.netty.util.HashedWheelTimer;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The waiting moments of all queues and shards of a process, on two threads however many there are. Moments that are
 * far off sit in a hashed timing wheel (George Varghese and Tony Lauck, "Hashed and Hierarchical Timing Wheels", 1987;
 * Netty's), where adding and cancelling one costs the same whatever their number; a wheel is only as exact as its tick,
 * so one that comes near moves to a precise timer for the rest. Safe for use by many threads.
 */
final class TimingWheel implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(TimingWheel.class);
    private static final long TICK_MILLIS = 500;
    private static final long NEAR_NANOS = TimeUnit.MILLISECONDS.toNanos(2 * TICK_MILLIS);

    private final HashedWheelTimer far;
    private final SteadyThread near;

    TimingWheel() {
        this.far = new HashedWheelTimer(NamedThreads.daemons("delayqueue-wheel-"), TICK_MILLIS, TimeUnit.MILLISECONDS);
        this.near = new SteadyThread("delayqueue-timer-");
    }

    /** Makes both threads, so that later none has to be made when there is none to be had. */
    void start() {
        near.start();
        far.start();
    }

    /** Runs a step at once, on the thread for what is near: all that is near waits for it. */
    void execute(Runnable step) {
        near.execute(step);
    }

    /**
     * Runs an action at a moment, never before it. Nothing happens once this is closed. What it throws is logged.
     *
     * @param nanoTime as of {@link System#nanoTime()}
     * @param action must be quick: all others wait for it
     */
    Alarm at(long nanoTime, Runnable action) {
        Alarm alarm = new Alarm(nanoTime, action);
        alarm.set();
        return alarm;
    }

    @Override
    public void close() {
        far.stop();
        near.close();
    }

    /** One moment. */
    final class Alarm {

        private final long nanoTime;
        private final Runnable action;
        private volatile boolean cancelled;
        private volatile Runnable canceller = () -> {};

        private Alarm(long nanoTime, Runnable action) {
            this.nanoTime = nanoTime;
            this.action = action;
        }

        /** When it goes off. */
        long nanoTime() {
            return nanoTime;
        }

        void cancel() {
            cancelled = true;
            canceller.run();
        }

        private void set() {
            long left = nanoTime - System.nanoTime();
            try {
                if (left > NEAR_NANOS) {
                    var timeout = far.newTimeout(ignored -> setOrAgain(), left - NEAR_NANOS, TimeUnit.NANOSECONDS);
                    canceller = timeout::cancel;
                } else {
                    var future = near.after(Duration.ofNanos(Math.max(0, left)), this::goOff);
                    canceller = () -> future.cancel(false);
                }
            } catch (IllegalStateException | RejectedExecutionException ex) {
                cancelled = true; // closed
            }
            if (cancelled) {
                canceller.run();
            }
        }

        /** It is near by now; should there be no memory for a moment, it is tried once more. */
        private void setOrAgain() {
            if (!Seam.run(log, "A moment that came near could not be set and is set again", this::set)) {
                far.newTimeout(ignored -> set(), TICK_MILLIS, TimeUnit.MILLISECONDS);
            }
        }

        private void goOff() {
            if (!cancelled) {
                action.run();
            }
        }
    }
}
