// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.concurrent.Scheduler;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The alarms of all queues and shards of a process, on the timer's thread. Distant alarms wait in the slots of a hashed
 * timing wheel (George Varghese and Tony Lauck, "Hashed and Hierarchical Timing Wheels", 1987), where adding and
 * cancelling take constant time. The timer steps through slots of half a second. Shortly before a slot is due, its
 * alarms move to the timer itself, which is exact. Thread-safe.
 */
final class TimingWheel {

    private static final Logger log = LoggerFactory.getLogger(TimingWheel.class);
    private static final long SLOT_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long NEAR_NANOS = 2 * SLOT_NANOS;

    private final Scheduler timer;
    private final long origin = System.nanoTime();
    private final ConcurrentMap<Long, Set<Alarm>> slots = new ConcurrentHashMap<>();

    TimingWheel(Scheduler timer) {
        this.timer = timer;
    }

    /**
     * Runs an action at the given time, never earlier. Does nothing after the timer is closed. Logs exceptions from the
     * action.
     *
     * @param nanoTime the time, by {@link System#nanoTime()}
     * @param action must be fast, because all other alarms wait for it
     */
    Alarm at(long nanoTime, Runnable action) {
        Alarm alarm = new Alarm(nanoTime, action);
        try {
            alarm.set();
        } catch (RejectedExecutionException ex) {
            alarm.cancelled = true; // The timer is closed.
        }
        return alarm;
    }

    private void addToSlot(Alarm alarm) {
        slots.compute(alarm.slot, (slot, alarms) -> {
            Set<Alarm> all = (alarms != null) ? alarms : ConcurrentHashMap.newKeySet();
            if (alarms == null) {
                long left = origin + slot * SLOT_NANOS - System.nanoTime();
                timer.after(Duration.ofNanos(Math.max(0, left)), () -> comesNear(slot));
            }
            all.add(alarm);
            return all;
        });
    }

    private void comesNear(long slot) {
        Set<Alarm> alarms = slots.remove(slot);
        if (alarms != null) {
            alarms.forEach(alarm -> Guard.run(log, "Could not set a timer alarm; it is lost", alarm::waitAloneOrRetry));
        }
    }

    /** An action that waits for its time. */
    final class Alarm {

        private final long nanoTime;
        private final Runnable action;
        /** The slot of this alarm while it is distant. */
        private final long slot;

        private volatile boolean cancelled;
        private volatile Scheduler.Scheduled step = () -> {};

        private Alarm(long nanoTime, Runnable action) {
            this.nanoTime = nanoTime;
            this.action = action;
            this.slot = Math.floorDiv(nanoTime - NEAR_NANOS - origin, SLOT_NANOS);
        }

        /** Returns the time when this alarm goes off. */
        long nanoTime() {
            return nanoTime;
        }

        void cancel() {
            cancelled = true;
            slots.computeIfPresent(slot, (key, alarms) -> {
                alarms.remove(this);
                return alarms;
            });
            step.cancel();
        }

        private void set() {
            long left = nanoTime - System.nanoTime();
            if (left > NEAR_NANOS) {
                addToSlot(this);
            } else {
                waitAlone();
            }
            if (cancelled) {
                cancel();
            }
        }

        private void waitAlone() {
            step = timer.after(Duration.ofNanos(Math.max(0, nanoTime - System.nanoTime())), this::goOff);
            if (cancelled) {
                step.cancel();
            }
        }

        /** Moves this alarm to the timer. Retries later if memory is short. */
        private void waitAloneOrRetry() {
            if (!cancelled && !Guard.run(log, "Could not set an approaching alarm; retrying", this::waitAlone)) {
                timer.after(Duration.ofNanos(SLOT_NANOS), this::waitAlone);
            }
        }

        private void goOff() {
            if (!cancelled) {
                action.run();
            }
        }
    }
}
