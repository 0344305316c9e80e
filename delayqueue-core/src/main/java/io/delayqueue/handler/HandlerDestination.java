// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

import io.delayqueue.delivery.Delivery;
import io.delayqueue.delivery.DestinationTraits;
import io.delayqueue.delivery.TaskDestination;
import io.delayqueue.internal.concurrent.Causes;
import io.delayqueue.internal.concurrent.Seam;
import io.delayqueue.internal.engine.InterceptorChain;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.slf4j.MDC.MDCCloseable;

/**
 * Delivers to a handler in this process, one task after the other on each worker thread. Leases are renewed while
 * handlers run, and tasks whose lease ran out before are handled one at a time, because one of them may be killing the
 * process.
 */
final class HandlerDestination implements TaskDestination {

    private static final Logger log = LoggerFactory.getLogger(HandlerDestination.class);

    private static final DestinationTraits TRAITS = DestinationTraits.PLAIN
            .renewingLeases()
            .isolatingSuspects()
            .beginningEach()
            .callingInterceptors();

    /** Names in the logging context of every handler. */
    private static final String MDC_QUEUE = "delayqueue.queue";

    private static final String MDC_TASK = "delayqueue.task";

    private final DeliveryHandler handler;
    private final InterceptorChain interceptors;
    private final Set<Class<? extends Throwable>> neverRetryFor;

    /** @param neverRetryFor exceptions, with their subclasses, after which a task is dead at once */
    HandlerDestination(
            DeliveryHandler handler, InterceptorChain interceptors, Set<Class<? extends Throwable>> neverRetryFor) {
        this.handler = handler;
        this.interceptors = interceptors;
        this.neverRetryFor = neverRetryFor;
    }

    @Override
    public DestinationTraits traits() {
        return TRAITS;
    }

    @Override
    @SuppressWarnings("try")
    public void deliver(List<Delivery> deliveries) {
        for (Delivery delivery : deliveries) {
            if (Thread.currentThread().isInterrupted() || delivery.isLeaseLost()) {
                delivery.release();
                continue;
            }
            if (!delivery.begin()) {
                continue;
            }
            try (MDCCloseable queue = MDC.putCloseable(MDC_QUEUE, delivery.queue());
                    MDCCloseable id = MDC.putCloseable(MDC_TASK, delivery.id())) {
                deliver(delivery);
            } catch (Throwable ex) {
                Seam.tell(() -> log.error("What became of {} could not be told; the attempt has failed", delivery, ex));
                delivery.fail(ex.getClass().getName(), false);
            }
        }
    }

    private void deliver(Delivery delivery) {
        try {
            interceptors.before(delivery);
        } catch (Throwable ex) {
            fail(delivery, ex);
            return;
        }
        try {
            CompletionStage<?> completion = handler.handle(delivery);
            if (completion != null) {
                awaitEnd(completion.toCompletableFuture());
            }
        } catch (Throwable ex) {
            Throwable error = Causes.of(ex);
            interceptors.error(delivery, error);
            if (ex instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            fail(delivery, error);
            return;
        }
        interceptors.after(delivery);
        delivery.acknowledge();
    }

    private static void awaitEnd(CompletableFuture<?> work) throws InterruptedException, ExecutionException {
        try {
            work.get();
        } catch (InterruptedException ex) {
            work.cancel(true);
            throw ex;
        }
    }

    private void fail(Delivery delivery, Throwable error) {
        if (delivery.isInterrupted()) {
            // whatever the handler made of the interrupt
            delivery.breakOff("interrupted by a shutdown");
            return;
        }
        String reason = error.getMessage() == null
                ? error.getClass().getName()
                : error.getClass().getName() + ": " + error.getMessage();
        log.debug(
                "Queue '{}': attempt {} of task '{}' failed",
                delivery.queue(),
                delivery.attempt(),
                delivery.id(),
                error);
        if (isHopeless(error)) {
            delivery.reject(reason);
            return;
        }
        Optional<Duration> after = (error instanceof RetryAdvice advice) ? advice.retryAfter() : Optional.empty();
        if (after.isPresent()) {
            delivery.failUntil(reason, after.get(), false);
        } else {
            delivery.fail(reason, false);
        }
    }

    private boolean isHopeless(Throwable error) {
        if (error instanceof RetryAdvice advice) {
            return !advice.isRetryable();
        }
        return neverRetryFor.stream().anyMatch(type -> type.isInstance(error));
    }
}
