// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.handler;

import io.delayqueue.DelayQueueException;
import io.delayqueue.delivery.Delivery;
import io.delayqueue.delivery.OpenDelivery;
import io.delayqueue.delivery.Outcome;
import io.delayqueue.internal.concurrent.Causes;
import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.concurrent.Throttle;
import io.delayqueue.internal.engine.DeliveryEvents;
import io.delayqueue.internal.engine.DeliveryObservation;
import io.delayqueue.internal.engine.InterceptorChain;
import io.delayqueue.internal.engine.LibraryDestination;
import io.delayqueue.internal.input.PrintableText;
import io.delayqueue.internal.queue.QueueSettings;
import io.delayqueue.internal.trigger.TriggerContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.task.TaskDecorator;

/**
 * Delivers to a handler in this process. Each worker thread delivers one task after the other, or as many together as
 * the handler takes. Leases are renewed while handlers run. Tasks whose lease has expired before are handled one at a
 * time, because such a task may kill the process.
 */
final class HandlerDestination implements LibraryDestination {

    private static final Logger log = LoggerFactory.getLogger(HandlerDestination.class);

    static final String TOO_NEW = "its payload has a newer version than this process knows";
    private static final Duration SHORTEST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);
    /** How long this process leaves the queue's tasks to other processes. */
    private static final Duration LEAVES = Duration.ofMinutes(5);

    private final DeliveryHandler handler;
    private final int mostTogether;
    private final @Nullable Duration gathersFor;
    private final Function<Delivery, DeliveryObservation> observations;
    private final InterceptorChain interceptors;
    private final FailedAttempts failures;
    private final TaskDecorator decorator;
    private final TimeLimit limit;
    private final DeliveryEvents events;
    private final Throttle warnings = new Throttle(Duration.ofMinutes(1));
    private volatile @Nullable Long leavesUntil;

    /**
     * @param queue settings of the queue as the handler overrides them
     * @param observations starts the observation of an attempt
     * @param policy decides the effect of exceptions
     * @param decorator applied to each call, on the delivering thread
     * @param replacement replaces a hanging thread with another worker
     */
    HandlerDestination(
            DeliveryHandler handler,
            QueueSettings queue,
            Duration maxWait,
            TriggerContext context,
            Function<Delivery, DeliveryObservation> observations,
            FailurePolicy policy,
            TaskDecorator decorator,
            Predicate<Thread> replacement) {
        this.handler = handler;
        this.mostTogether = handler.takesBatches() ? queue.trigger().batchSize() : 1;
        this.gathersFor = handler.takesBatches() ? maxWait : null;
        this.observations = observations;
        this.interceptors = context.interceptors();
        this.failures = new FailedAttempts(policy, queue, interceptors);
        this.decorator = decorator;
        this.limit =
                new TimeLimit(queue.handlerTimeout(), context.engine().scheduler(), replacement, failures::givenUp);
        this.events = context.engine().events();
    }

    @Override
    public boolean deliversOneByOne() {
        return true;
    }

    @Override
    public @Nullable Duration gathersFor() {
        return gathersFor;
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
        int end;
        for (int from = 0; from < deliveries.size(); from = end) {
            end = endOfBatch(deliveries, from);
            List<OpenDelivery> together = deliveries.subList(from, end);
            try {
                deliverDecorated(together);
            } catch (Throwable ex) {
                Guard.tell(
                        () -> log.error("Could not process the outcome of {}; the attempt has failed", together, ex));
                together.forEach(
                        delivery -> delivery.settle(Outcome.failed(ex.getClass().getName())));
            } finally {
                LoggingContext.remove();
            }
        }
    }

    /** Returns the end of the batch that starts at {@code from}. A suspect is delivered alone. */
    private int endOfBatch(List<OpenDelivery> deliveries, int from) {
        int end = from + 1;
        while (end < Math.min(deliveries.size(), from + mostTogether)
                && !deliveries.get(from).isSuspect()
                && !deliveries.get(end).isSuspect()) {
            end++;
        }
        return end;
    }

    private void deliverDecorated(List<OpenDelivery> together) {
        AtomicBoolean run = new AtomicBoolean();
        decorator
                .decorate(() -> {
                    if (run.compareAndSet(false, true)) {
                        deliverTogether(together);
                    }
                })
                .run();
        if (run.compareAndSet(false, true)) {
            throw new IllegalStateException(
                    "The TaskDecorator " + decorator.getClass().getName()
                            + " did not run the decorated Runnable. It must run it before it returns");
        }
    }

    private void deliverTogether(List<OpenDelivery> together) {
        List<OpenDelivery> begun = new ArrayList<>(together.size());
        for (OpenDelivery delivery : together) {
            if (Thread.currentThread().isInterrupted() || delivery.isLeaseLost()) {
                delivery.settle(Outcome.released());
            } else if (handler.tooNew().test(delivery)) {
                giveBack(delivery);
            } else if (begins(delivery)) {
                begun.add(delivery);
            }
        }
        if (begun.size() == 1) {
            OpenDelivery only = begun.get(0);
            LoggingContext.put(only);
            settle(only, observe(only).around(() -> attempt(begun).get(0)));
        } else if (!begun.isEmpty()) {
            LoggingContext.put(begun.get(0).queue());
            List<DeliveryObservation> observed =
                    begun.stream().map(this::observe).toList();
            List<@Nullable Throwable> errors = attempt(begun);
            for (int i = 0; i < begun.size(); i++) {
                LoggingContext.put(begun.get(i));
                Throwable error = errors.get(i);
                settle(begun.get(i), observed.get(i).around(() -> error));
            }
        }
    }

    /** Releases a delivery. The pause before the next attempt grows with the time that the task has been overdue. */
    private void giveBack(OpenDelivery delivery) {
        Duration late = delivery.lateness();
        Duration pause = late.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : late;
        delivery.settle(
                Outcome.postponed(TOO_NEW).retryAfter(pause.compareTo(SHORTEST_PAUSE) < 0 ? SHORTEST_PAUSE : pause));
        leavesUntil = System.nanoTime() + LEAVES.toNanos();
        events.tooNew(delivery);
        if (warnings.passes()) {
            Guard.tell(() -> log.warn(
                    "Queue '{}': task '{}' has a payload of a newer version than this process knows. It is released"
                            + " and due again after {} s to {} s, for a process that knows the version. Logged once a"
                            + " minute",
                    delivery.queue(),
                    PrintableText.line(delivery.id(), 256),
                    SHORTEST_PAUSE.toSeconds(),
                    LONGEST_PAUSE.toSeconds()));
        }
    }

    @Override
    public boolean leavesShardsToOthers() {
        Long until = leavesUntil;
        return until != null && until - System.nanoTime() > 0;
    }

    private boolean begins(OpenDelivery delivery) {
        if (!delivery.begin()) {
            return false;
        }
        LoggingContext.put(delivery);
        try {
            interceptors.before(delivery);
            return true;
        } catch (Throwable ex) {
            events.begun(delivery, kind()); // Its end will be reported.
            failures.notBegun(delivery, ex);
            return false;
        }
    }

    private void settle(OpenDelivery delivery, @Nullable Throwable error) {
        if (error == null) {
            interceptors.after(delivery);
            delivery.settle(Outcome.delivered());
        }
    }

    private List<@Nullable Throwable> attempt(List<OpenDelivery> begun) {
        begun.forEach(delivery -> events.begun(delivery, kind()));
        TimeLimit.Attempt limited = limit.begin(begun);
        AtomicBoolean leftWorkBehind = new AtomicBoolean();
        Throwable error = limited.end(call(begun, leftWorkBehind));
        boolean givenUp = limited.isGivenUp();
        if (error != null && limited.isStopped() && !givenUp) {
            return List.of(stopped(begun.get(0), Causes.of(error), leftWorkBehind.get()));
        }
        if (error instanceof InterruptedException && !givenUp) {
            Thread.currentThread().interrupt();
        }
        Throwable ofAll = error;
        List<@Nullable Throwable> errors = new ArrayList<>(begun.size());
        for (OpenDelivery delivery : begun) {
            Throwable own = delivery.failure().orElse(ofAll);
            errors.add(givenUp || own == null ? own : failed(delivery, own, leftWorkBehind.get()));
        }
        return errors;
    }

    /** Called when the handler of a cancelled task has ended or is no longer awaited. */
    private Throwable stopped(OpenDelivery delivery, Throwable error, boolean leftWorkBehind) {
        Guard.tell(() -> log.info(
                "Queue '{}': stopped the handler of task '{}', because the task was cancelled",
                delivery.queue(),
                delivery.id()));
        if (!(error instanceof InterruptedException)) {
            Guard.tell(() -> log.warn(
                    "Queue '{}': the handler of the cancelled task '{}' failed when it was stopped",
                    delivery.queue(),
                    delivery.id(),
                    error));
        }
        Throwable cancelled = new DelayQueueException("the task was cancelled while its handler ran", error);
        interceptors.error(delivery, cancelled);
        delivery.settle(leftWorkBehind ? Outcome.postponed("cancelled").mayHaveArrived() : Outcome.released());
        return cancelled;
    }

    private Throwable failed(OpenDelivery delivery, Throwable error, boolean leftWorkBehind) {
        LoggingContext.put(delivery);
        return failures.failed(delivery, Causes.of(error), leftWorkBehind);
    }

    /** @param leftWorkBehind set if asynchronous work was still running when this stopped waiting for it */
    private @Nullable Throwable call(List<OpenDelivery> deliveries, AtomicBoolean leftWorkBehind) {
        try {
            CompletionStage<?> completion = handler.call().handle(deliveries);
            if (completion != null) {
                awaitEnd(completion.toCompletableFuture(), leftWorkBehind);
            }
            return null;
        } catch (Throwable ex) {
            return ex;
        }
    }

    private static void awaitEnd(CompletableFuture<?> work, AtomicBoolean leftWorkBehind)
            throws InterruptedException, ExecutionException {
        try {
            work.get();
        } catch (InterruptedException ex) {
            leftWorkBehind.set(!work.isDone());
            work.cancel(true);
            throw ex;
        }
    }
}
