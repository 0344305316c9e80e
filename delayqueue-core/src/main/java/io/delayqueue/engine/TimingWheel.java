// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.engine;

import io.netty.util.HashedWheelTimer;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * The waiting moments of all queues and shards of a process, on two threads however many there are. Moments that are far off
 * sit in a hashed timing wheel (George Varghese and Tony Lauck, "Hashed and Hierarchical Timing Wheels", 1987; Netty's), where
 * adding and cancelling one costs the same whatever their number; a wheel is only as exact as its tick, so one that comes near
 * moves to a precise timer for the rest. Safe for use by many threads.
 */
public final class TimingWheel implements AutoCloseable {

    private static final long TICK_MILLIS = 500;
    private static final long NEAR_NANOS = TimeUnit.MILLISECONDS.toNanos(2 * TICK_MILLIS);

    private final HashedWheelTimer far;
    private final ScheduledThreadPoolExecutor near;

    public TimingWheel() {
        this.far = new HashedWheelTimer(daemons("delayqueue-wheel-"), TICK_MILLIS, TimeUnit.MILLISECONDS);
        this.near = new ScheduledThreadPoolExecutor(1, daemons("delayqueue-timer-"));
        near.setRemoveOnCancelPolicy(true);
    }

    private static CustomizableThreadFactory daemons(String prefix) {
        CustomizableThreadFactory threads = new CustomizableThreadFactory(prefix);
        threads.setDaemon(true);
        return threads;
    }

    /**
     * Runs an action at a moment, never before it. Nothing happens once this is closed.
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
        near.shutdownNow();
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
                    var timeout = far.newTimeout(ignored -> set(), left - NEAR_NANOS, TimeUnit.NANOSECONDS);
                    canceller = timeout::cancel;
                } else {
                    var future = near.schedule(this::goOff, Math.max(0, left), TimeUnit.NANOSECONDS);
                    canceller = () -> future.cancel(false);
                }
            } catch (IllegalStateException | RejectedExecutionException ex) {
                cancelled = true; // closed
            }
            if (cancelled) {
                canceller.run();
            }
        }

        private void goOff() {
            if (!cancelled) {
                action.run();
            }
        }
    }
}
