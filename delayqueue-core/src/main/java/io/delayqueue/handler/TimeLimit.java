// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

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
 * How long one attempt of a queue's handler may take. When the time is over the handler's thread is interrupted. A handler that
 * goes on nevertheless is given up after another while: its attempt has failed, and another thread takes its place where one
 * may.
 */
final class TimeLimit {

    /** How long a handler has to end after the interrupt, or as long as the limit if that is shorter. */
    static final Duration LONGEST_PATIENCE = Duration.ofSeconds(5);

    private static final Duration WITHOUT_THREAD = Duration.ofSeconds(1);
    private static final Logger log = LoggerFactory.getLogger(TimeLimit.class);

    private final @Nullable Duration limit;
    private final Duration patience;
    private final Scheduler timer;
    private final Predicate<Thread> replacement;
    private final BiConsumer<OpenDelivery, Throwable> givenUp;

    /**
     * @param limit null for unlimited
     * @param replacement has another worker take the place of a thread; false if none may
     * @param givenUp told what an attempt failed with whose handler goes on, on a thread that may be blocked
     */
    TimeLimit(
            @Nullable Duration limit,
            Scheduler timer,
            Predicate<Thread> replacement,
            BiConsumer<OpenDelivery, Throwable> givenUp) {
        this.limit = limit;
        this.patience = (limit != null && limit.compareTo(LONGEST_PATIENCE) < 0) ? limit : LONGEST_PATIENCE;
        this.timer = timer;
        this.replacement = replacement;
        this.givenUp = givenUp;
    }

    /** An attempt of tasks that are handled together begins on the calling thread. */
    Attempt begin(List<OpenDelivery> deliveries) {
        Attempt attempt = new Attempt(deliveries);
        if (limit != null) {
            attempt.await(limit, () -> attempt.interrupt(limit));
        }
        if (deliveries.size() == 1) {
            deliveries.get(0).onInterrupt(attempt::stop); // of a batch the others go on
        }
        return attempt;
    }

    /** One attempt. It is the handler's until it has ended; from then on its thread is interrupted no more. */
    final class Attempt {

        private final List<OpenDelivery> deliveries;
        private final OpenDelivery delivery;
        private final Thread thread = Thread.currentThread();
        private Scheduler.@Nullable Scheduled next;
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
                await(patience, () -> giveUp(time));
            }
        }

        /** The task was cancelled by someone who wants the handler to stop. */
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
                boolean replaced = isReplaced(); // the attempt cannot end meanwhile, and its thread go on to another
                telling = () -> tellOfGivingUp(replaced, hanging);
                givenUp = true;
            }
            runElsewhere(telling);
        }

        /** It calls the application, so it waits until there is a thread for it. */
        private void runElsewhere(Runnable telling) {
            try {
                NamedThreads.daemons("delayqueue-" + delivery.queue() + "-timed-out-")
                        .newThread(telling)
                        .start();
            } catch (Throwable ex) {
                timer.after(WITHOUT_THREAD, () -> runElsewhere(telling));
            }
        }

        /** Whatever is thrown, the attempt has failed. */
        private boolean isReplaced() {
            try {
                return replacement.test(thread);
            } catch (Throwable ex) {
                Guard.tell(() -> log.error(
                        "Queue '{}': the thread '{}' could not be replaced", delivery.queue(), thread.getName(), ex));
                return false;
            }
        }

        private void tellOfGivingUp(boolean replaced, HandlerTimeoutException hanging) {
            Guard.tell(() -> log.error(
                    "Queue '{}': the handler of task '{}' goes on {} after it was interrupted, at what follows. {}",
                    delivery.queue(),
                    delivery.id(),
                    patience,
                    replaced
                            ? "Another thread takes the place of '" + thread.getName() + "'"
                            : "Its thread '" + thread.getName() + "' is not replaced: too many hang, or it is not the"
                                    + " queue's own. The queue has one less until it ends",
                    hanging));
            deliveries.forEach(each -> TimeLimit.this.givenUp.accept(each, hanging));
        }

        /**
         * The handler has ended.
         *
         * @param error what it ended with
         * @return what the attempt failed with; null if it did not fail
         */
        synchronized @Nullable Throwable end(@Nullable Throwable error) {
            ended = true;
            if (next != null) {
                next.cancel();
            }
            if ((timeout != null || stopped) && !delivery.isInterrupted()) {
                Thread.interrupted(); // was for this attempt alone
            }
            if (timeout == null) {
                return error;
            }
            if (error != null) {
                timeout.addSuppressed(error);
            }
            return timeout;
        }

        /** Whether a cancel has stopped the attempt; to be asked when it has ended. */
        synchronized boolean isStopped() {
            return stopped;
        }

        /** Whether the attempt had failed before its handler ended; to be asked then. */
        synchronized boolean isGivenUp() {
            return givenUp;
        }
    }
}
