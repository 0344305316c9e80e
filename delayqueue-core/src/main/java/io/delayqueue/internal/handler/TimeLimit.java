// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.handler;

import io.delayqueue.delivery.OpenDelivery;
import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.concurrent.NamedThreads;
import io.delayqueue.internal.concurrent.Scheduler;
import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The time limit for one attempt of a queue's handler. Interrupts the handler's thread at the limit. If the handler
 * still runs after a grace period, its attempt fails, and another thread replaces its thread if that is allowed.
 *
 * @param limit null for unlimited
 * @param replacement replaces a thread with another worker; returns {@code false} if that is not allowed
 * @param givenUp called, on a thread that may block, with the error of an attempt whose handler still runs
 */
record TimeLimit(
        @Nullable Duration limit,
        Scheduler timer,
        Predicate<Thread> replacement,
        BiConsumer<OpenDelivery, Throwable> givenUp) {

    /** The maximum grace period after the interrupt; less if the time limit is shorter. */
    static final Duration LONGEST_PATIENCE = Duration.ofSeconds(5);

    private static final Duration WITHOUT_THREAD = Duration.ofSeconds(1);
    private static final Logger log = LoggerFactory.getLogger(TimeLimit.class);

    private static Duration patience(Duration limit) {
        return limit.compareTo(LONGEST_PATIENCE) < 0 ? limit : LONGEST_PATIENCE;
    }

    /** Starts an attempt for tasks that are handled together on the calling thread. */
    Attempt begin(List<OpenDelivery> deliveries) {
        Attempt attempt = new Attempt(deliveries);
        if (limit != null) {
            attempt.await(limit, () -> attempt.interrupt(limit));
        }
        if (deliveries.size() == 1) {
            deliveries.get(0).onInterrupt(attempt::stop); // in a batch, the other tasks continue
        }
        return attempt;
    }

    /** One attempt. Its thread may be interrupted only until the handler has ended. */
    final class Attempt {

        private final List<OpenDelivery> deliveries;
        private final OpenDelivery delivery;
        private final Thread thread = Thread.currentThread();
        private Scheduler.Scheduled next = () -> {};
        private @Nullable HandlerTimeoutException timeout;
        private boolean stopped;
        private boolean givenUp;
        private boolean ended;

        private Attempt(List<OpenDelivery> deliveries) {
            this.deliveries = deliveries;
            this.delivery = deliveries.get(0);
        }

        private synchronized void await(Duration time, Runnable step) {
            next = timer.after(time, step);
        }

        private synchronized void interrupt(Duration time) {
            if (!ended) {
                timeout = new HandlerTimeoutException(time, thread.getStackTrace());
                thread.interrupt();
                await(patience(time), () -> giveUp(time));
            }
        }

        /** Called when the task was cancelled with a request to stop the handler. */
        private synchronized void stop() {
            if (!ended) {
                stopped = true;
                thread.interrupt();
            }
        }

        private void giveUp(Duration time) {
            Runnable telling;
            synchronized (this) {
                if (ended) {
                    return;
                }
                HandlerTimeoutException hanging = new HandlerTimeoutException(time, thread.getStackTrace());
                boolean replaced = isReplaced(); // The attempt cannot end yet, so its thread cannot start another.
                telling = () -> tellOfGivingUp(replaced, patience(time), hanging);
                givenUp = true;
            }
            runElsewhere(telling);
        }

        /**
         * Runs a step on a separate thread, because the step calls the application. Retries if no thread can be
         * created.
         */
        private void runElsewhere(Runnable telling) {
            try {
                NamedThreads.daemons("delayqueue-" + delivery.queue() + "-timed-out-")
                        .newThread(telling)
                        .start();
            } catch (Throwable ex) {
                timer.after(WITHOUT_THREAD, () -> runElsewhere(telling));
            }
        }

        /** Returns whether the thread was replaced. Logs exceptions, because the attempt has failed in any case. */
        private boolean isReplaced() {
            try {
                return replacement.test(thread);
            } catch (Throwable ex) {
                Guard.tell(() ->
                        log.error("Queue '{}': could not replace thread '{}'", delivery.queue(), thread.getName(), ex));
                return false;
            }
        }

        private void tellOfGivingUp(boolean replaced, Duration patience, HandlerTimeoutException hanging) {
            Guard.tell(() -> log.error(
                    "Queue '{}': the handler of task '{}' is still running {} after its interrupt, "
                            + "with the stack trace below. {}",
                    delivery.queue(),
                    delivery.id(),
                    patience,
                    replaced
                            ? "Another thread replaces '" + thread.getName() + "'"
                            : "Its thread '" + thread.getName()
                                    + "' is not replaced, because too many hang or it is not a thread of the "
                                    + "queue. The queue has one thread less until the handler ends",
                    hanging));
            deliveries.forEach(
                    each -> TimeLimit.this.givenUp.accept(each, each.failure().orElse(hanging)));
        }

        /**
         * Called when the handler has ended.
         *
         * @param error error of the handler, or null
         * @return error of the attempt; null if it did not fail
         */
        synchronized @Nullable Throwable end(@Nullable Throwable error) {
            ended = true;
            next.cancel();
            if ((timeout != null || stopped) && !delivery.isInterrupted()) {
                Thread.interrupted(); // Clear the interrupt, which was meant for this attempt.
            }
            if (timeout == null) {
                return error;
            }
            if (error != null) {
                timeout.addSuppressed(error);
            }
            return timeout;
        }

        /** Returns whether a cancel has stopped the attempt. Call it after the end. */
        synchronized boolean isStopped() {
            return stopped;
        }

        /** Returns whether the attempt had failed before its handler ended. Call it after the end. */
        synchronized boolean isGivenUp() {
            return givenUp;
        }
    }
}
