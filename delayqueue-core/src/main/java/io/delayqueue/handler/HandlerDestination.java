// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

import io.delayqueue.delivery.Delivery;
import io.delayqueue.delivery.OpenDelivery;
import io.delayqueue.delivery.Outcome;
import io.delayqueue.internal.concurrent.Causes;
import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.engine.DeliveryEvents;
import io.delayqueue.internal.engine.DeliveryObservation;
import io.delayqueue.internal.engine.InterceptorChain;
import io.delayqueue.internal.engine.LibraryDestination;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.task.TaskDecorator;

/**
 * Delivers to a handler in this process, one task after the other on each worker thread. Leases are renewed while
 * handlers run, and tasks whose lease ran out before are handled one at a time, because one of them may be killing the
 * process.
 */
final class HandlerDestination implements LibraryDestination {

    private static final Logger log = LoggerFactory.getLogger(HandlerDestination.class);

    private final DeliveryHandler handler;
    private final Function<Delivery, DeliveryObservation> observations;
    private final InterceptorChain interceptors;
    private final FailedAttempts failures;
    private final TaskDecorator decorator;
    private final @Nullable TimeLimit limit;
    private final DeliveryEvents events;

    /**
     * @param observations starts the observation of an attempt
     * @param failures decides what becomes of tasks whose handler fails
     * @param decorator of each delivery, on the thread that delivers
     * @param limit how long an attempt may take; null for unlimited
     * @param events told when an attempt begins, inside what observes it
     */
    HandlerDestination(
            DeliveryHandler handler,
            Function<Delivery, DeliveryObservation> observations,
            InterceptorChain interceptors,
            FailedAttempts failures,
            TaskDecorator decorator,
            @Nullable TimeLimit limit,
            DeliveryEvents events) {
        this.handler = handler;
        this.observations = observations;
        this.interceptors = interceptors;
        this.failures = failures;
        this.decorator = decorator;
        this.limit = limit;
        this.events = events;
    }

    @Override
    public boolean deliversOneByOne() {
        return true;
    }

    @Override
    public boolean reportsAttempts() {
        return true;
    }

    @Override
    public DeliveryObservation observe(Delivery delivery) {
        return observations.apply(delivery);
    }

    @Override
    public String kind() {
        return "handler";
    }

    @Override
    public void deliver(List<OpenDelivery> deliveries) {
        for (OpenDelivery delivery : deliveries) {
            if (Thread.currentThread().isInterrupted() || delivery.isLeaseLost()) {
                delivery.settle(Outcome.released());
                continue;
            }
            try {
                deliverDecorated(delivery);
            } catch (Throwable ex) {
                Guard.tell(
                        () -> log.error("What became of {} could not be told; the attempt has failed", delivery, ex));
                delivery.settle(Outcome.failed(ex.getClass().getName()));
            } finally {
                LoggingContext.remove();
            }
        }
    }

    private void deliverDecorated(OpenDelivery delivery) {
        AtomicBoolean run = new AtomicBoolean();
        decorator
                .decorate(() -> {
                    if (run.compareAndSet(false, true) && delivery.begin()) {
                        LoggingContext.put(delivery);
                        deliver(delivery);
                    }
                })
                .run();
        if (run.compareAndSet(false, true)) {
            throw new IllegalStateException(
                    "The TaskDecorator " + decorator.getClass().getName()
                            + " has not run what it decorated. It must run it before it returns");
        }
    }

    private void deliver(OpenDelivery delivery) {
        try {
            interceptors.before(delivery);
        } catch (Throwable ex) {
            events.begun(delivery, kind()); // its end will be told
            failures.notBegun(delivery, ex);
            return;
        }
        if (observe(delivery).around(() -> attempt(delivery)) == null) {
            interceptors.after(delivery);
            delivery.settle(Outcome.delivered());
        }
    }

    /** Returns what it failed with. */
    private @Nullable Throwable attempt(OpenDelivery delivery) {
        events.begun(delivery, kind());
        TimeLimit.Attempt limited = (limit == null) ? null : limit.begin(delivery);
        Call call = new Call();
        Throwable error = call.make(delivery);
        if (limited != null) {
            error = limited.end(error);
            if (limited.isGivenUp()) {
                return error;
            }
        }
        if (error == null) {
            return null;
        }
        if (error instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
        return failures.failed(delivery, Causes.of(error), call.leftWorkBehind);
    }

    /** One call of the handler. */
    private final class Call {

        /** Whether what the handler returned had not ended when nobody waited for it any more: it may not end by that. */
        private boolean leftWorkBehind;

        /** Returns what it failed with. */
        @Nullable
        Throwable make(OpenDelivery delivery) {
            try {
                CompletionStage<?> completion = handler.handle(delivery);
                if (completion != null) {
                    awaitEnd(completion.toCompletableFuture());
                }
                return null;
            } catch (Throwable ex) {
                return ex;
            }
        }

        private void awaitEnd(CompletableFuture<?> work) throws InterruptedException, ExecutionException {
            try {
                work.get();
            } catch (InterruptedException ex) {
                leftWorkBehind = !work.isDone();
                work.cancel(true);
                throw ex;
            }
        }
    }
}
