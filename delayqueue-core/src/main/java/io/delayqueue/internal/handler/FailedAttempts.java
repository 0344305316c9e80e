// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.handler;

import io.delayqueue.delivery.Delivery;
import io.delayqueue.delivery.OpenDelivery;
import io.delayqueue.delivery.Outcome;
import io.delayqueue.handler.RetryHint;
import io.delayqueue.handler.UnreadablePayloadException;
import io.delayqueue.internal.concurrent.Causes;
import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.engine.InterceptorChain;
import io.delayqueue.internal.engine.LeasedDelivery;
import io.delayqueue.internal.queue.QueueSettings;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Settles the tasks of one queue whose handler failed. Logs each failure with its stack trace on the calling thread, at
 * a limited rate, and then settles the delivery.
 */
record FailedAttempts(
        FailurePolicy policy, QueueSettings queue, InterceptorChain interceptors, Map<Level, FailureLog> lines) {

    private static final Logger log = LoggerFactory.getLogger(FailedAttempts.class);

    private static final String BROKEN_OFF = "interrupted by a shutdown";
    private static final String STARTS_NO_MORE = "may still be running, and this queue starts a handler at most once";

    /** Maximum number of causes to follow, because causes may form a cycle. */
    private static final int MOST_CAUSES = 30;

    /**
     * Minimum pause before a retry. Without it, a task that is retried for ever could occupy a thread and the store
     * completely.
     */
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(100);

    FailedAttempts(FailurePolicy policy, QueueSettings queue, InterceptorChain interceptors) {
        this(
                policy,
                queue,
                interceptors,
                Map.of(Level.INFO, new FailureLog(), Level.WARN, new FailureLog(), Level.ERROR, new FailureLog()));
    }

    /**
     * Handles a failed attempt that had started.
     *
     * @param uncertain whether the handler's work may continue
     * @return the error after the error handler
     */
    Throwable failed(OpenDelivery delivery, Throwable thrown, boolean uncertain) {
        if (delivery.isEnded() && !delivery.isInterrupted()) {
            logEnded(delivery, thrown);
            interceptors.error(delivery, thrown);
            return thrown;
        }
        if (uncertain) {
            ((LeasedDelivery) delivery).mayContinue();
        }
        Throwable error = delivery.isInterrupted() ? thrown : handled(delivery, thrown);
        interceptors.error(delivery, error);
        end(delivery, error, uncertain);
        return error;
    }

    /** Handles a failed attempt whose handler continues on another thread. */
    void givenUp(OpenDelivery delivery, Throwable error) {
        LoggingContext.put(delivery);
        try {
            // A payload that cannot be read never reached the handler.
            failed(delivery, Causes.of(error), !(Causes.of(error) instanceof UnreadablePayloadException));
        } finally {
            LoggingContext.remove();
        }
    }

    /** Handles an attempt that an interceptor prevented from starting. */
    void notBegun(OpenDelivery delivery, Throwable error) {
        end(delivery, error, false);
    }

    private Throwable handled(OpenDelivery delivery, Throwable thrown) {
        try {
            policy.errorHandler().handleError(delivery, thrown);
            return thrown;
        } catch (Throwable ex) {
            // Guarded, because the exception is the application's and may throw when it is read.
            Guard.tell(() -> {
                if (ex != thrown && ex.getCause() != thrown) {
                    ex.addSuppressed(thrown);
                }
            });
            return ex;
        }
    }

    /** Settles a delivery, whatever its error throws when the library reads it. */
    private void end(OpenDelivery delivery, Throwable error, boolean uncertain) {
        try {
            endUnguarded(delivery, error, uncertain);
        } catch (Throwable ex) {
            Guard.tell(() -> log.error("Could not process the outcome of {}; the attempt has failed", delivery, ex));
            String reason = ex.getClass().getName();
            delivery.settle(Outcome.failed(reason));
        }
    }

    private void endUnguarded(OpenDelivery delivery, Throwable error, boolean uncertain) {
        if (delivery.isInterrupted() && !(error instanceof UnreadablePayloadException)) {
            // This does not depend on how the handler reacts to the interrupt.
            ((LeasedDelivery) delivery).mayContinue();
            delivery.settle(Outcome.postponed(BROKEN_OFF).retryAfter(Duration.ZERO));
            return;
        }
        boolean startsNoMore = uncertain && queue.beginsAtMostOnce();
        if (delivery.isEnded()) {
            if (delivery.isDead()) {
                logDeath(delivery, startsNoMore ? STARTS_NO_MORE : "the error handler rejected the task", error);
            } else {
                log.debug(
                        "Queue '{}': the error handler settled the failure of task '{}'",
                        delivery.queue(),
                        delivery.id(),
                        error);
            }
            return;
        }
        Throwable decisive = decisive(error);
        String reason = (decisive == null || decisive == error)
                ? reason(error)
                : reason(error) + ", caused by " + reason(decisive);
        if (isHopeless(decisive)) {
            logDeath(delivery, "no retry can succeed", error);
            boolean isUnreadable = decisive instanceof UnreadablePayloadException;
            delivery.settle((isUnreadable ? Outcome.quarantined(reason) : Outcome.dead(reason)).causedBy(error));
            return;
        }
        if (startsNoMore) {
            logDeath(delivery, STARTS_NO_MORE, error);
            delivery.settle(Outcome.dead(reason).causedBy(error));
            return;
        }
        Optional<Duration> after = (decisive instanceof RetryHint hint) ? hint.retryAfter() : Optional.empty();
        boolean closesKey = decisive instanceof RetryHint hint && hint.closesKey();
        if (!counts(delivery, error, decisive)) {
            Outcome postponed = Outcome.postponed(reason);
            putOff(delivery, error, closesKey ? postponed.closingKey() : postponed, after);
            return;
        }
        if (delivery.isLastAttempt()) {
            logDeath(delivery, "it was the last", error);
        } else {
            logFailure(delivery, "failed and will be retried", error);
        }
        Outcome failed = closesKey ? Outcome.failed(reason).closingKey() : Outcome.failed(reason);
        delivery.settle(after.map(failed::retryAfter).orElse(failed).causedBy(error));
    }

    private void putOff(OpenDelivery delivery, Throwable error, Outcome postponed, Optional<Duration> after) {
        log(
                Level.INFO,
                delivery,
                "ended with " + error.getClass().getName() + ", which does not count as a failure; it will be retried",
                error);
        delivery.settle(after.map(pause -> pause.compareTo(SHORTEST_PAUSE) < 0 ? SHORTEST_PAUSE : pause)
                .map(postponed::retryAfter)
                .orElse(postponed)
                .causedBy(error));
    }

    private boolean counts(Delivery delivery, Throwable error, @Nullable Throwable decisive) {
        if (decisive instanceof RetryHint hint) {
            return hint.countsAsFailure();
        }
        try {
            return policy.counting().counts(delivery, error);
        } catch (Throwable ex) {
            Guard.tell(() -> log.error(
                    "Queue '{}': failure policy threw an exception; counting the failure", delivery.queue(), ex));
            return true;
        }
    }

    private static String reason(Throwable error) {
        if (error instanceof HandlerTimeoutException timeout) {
            return String.valueOf(timeout.getMessage());
        }
        return error.getMessage() == null
                ? error.getClass().getName()
                : error.getClass().getName() + ": " + error.getMessage();
    }

    /**
     * Returns the outermost exception, among an error and its causes, that decides the outcome; null if there is none.
     */
    private @Nullable Throwable decisive(Throwable error) {
        Throwable each = error;
        for (int depth = 0; each != null && depth < MOST_CAUSES; depth++) {
            if (each instanceof RetryHint || queue.retry().isExcluded(each)) {
                return each;
            }
            each = each.getCause();
        }
        return null;
    }

    private static boolean isHopeless(@Nullable Throwable decisive) {
        return (decisive instanceof RetryHint hint) ? !hint.isRetryable() : decisive != null;
    }

    private void logEnded(Delivery delivery, Throwable error) {
        if (delivery.isDead()) {
            logDeath(delivery, "the handler had rejected the task", error);
        } else {
            logFailure(delivery, "failed after its delivery was settled; the outcome does not change", error);
        }
    }

    private void logFailure(Delivery delivery, String what, Throwable error) {
        log(Level.WARN, delivery, what, error);
    }

    private void logDeath(Delivery delivery, String why, Throwable error) {
        log(Level.ERROR, delivery, "failed and " + why + ": the task is dead", error);
    }

    /** Logs an attempt, unless there are too many of this level and exception type. Only failures show a stack trace. */
    private void log(Level level, Delivery delivery, String what, Throwable error) {
        long leftOut = Objects.requireNonNull(lines.get(level)).admit(error);
        if (leftOut >= 0) {
            Guard.tell(() -> log.atLevel(level)
                    .setCause(level == Level.INFO ? null : error)
                    .log(
                            "Queue '{}': attempt {} of task '{}' {}{}",
                            delivery.queue(),
                            delivery.attempt(),
                            delivery.id(),
                            what,
                            others(leftOut)));
        }
    }

    private static String others(long leftOut) {
        return leftOut == 0
                ? ""
                : " (" + leftOut + " more with this exception type were omitted since the last line of this kind)";
    }
}
