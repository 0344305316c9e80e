// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

import io.delayqueue.delivery.Delivery;
import io.delayqueue.delivery.DestinationTraits;
import io.delayqueue.delivery.TaskDestination;
import io.delayqueue.internal.concurrent.Causes;
import io.delayqueue.internal.concurrent.Seam;
import io.delayqueue.internal.engine.InterceptorChain;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
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
            .callingInterceptors()
            .loggingFailures();

    /** Names in the logging context of every handler. */
    private static final String MDC_QUEUE = "delayqueue.queue";

    private static final String MDC_TASK = "delayqueue.task";
    private static final String MDC_ATTEMPT = "delayqueue.attempt";

    private final DeliveryHandler handler;
    private final ObservedAttempts observed;
    private final InterceptorChain interceptors;
    private final FailedAttempts failures;

    /** @param failures decides what becomes of tasks whose handler fails */
    HandlerDestination(
            DeliveryHandler handler,
            ObservedAttempts observed,
            InterceptorChain interceptors,
            FailedAttempts failures) {
        this.handler = handler;
        this.observed = observed;
        this.interceptors = interceptors;
        this.failures = failures;
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
                    MDCCloseable id = MDC.putCloseable(MDC_TASK, delivery.id());
                    MDCCloseable attempt = MDC.putCloseable(MDC_ATTEMPT, Integer.toString(delivery.attempt()))) {
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
            failures.notBegun(delivery, ex);
            return;
        }
        if (observed.observe(delivery, this::attempt) == null) {
            interceptors.after(delivery);
            delivery.acknowledge();
        }
    }

    /** Returns what it failed with. */
    private @Nullable Throwable attempt(Delivery delivery) {
        try {
            CompletionStage<?> completion = handler.handle(delivery);
            if (completion != null) {
                awaitEnd(completion.toCompletableFuture());
            }
            return null;
        } catch (Throwable ex) {
            if (ex instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            return failures.failed(delivery, Causes.of(ex));
        }
    }

    private static void awaitEnd(CompletableFuture<?> work) throws InterruptedException, ExecutionException {
        try {
            work.get();
        } catch (InterruptedException ex) {
            work.cancel(true);
            throw ex;
        }
    }
}
