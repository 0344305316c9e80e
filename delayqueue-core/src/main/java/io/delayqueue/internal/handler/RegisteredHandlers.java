// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.handler;

import io.delayqueue.DelayQueueException;
import io.delayqueue.delivery.Delivery;
import io.delayqueue.handler.AsyncTaskHandler;
import io.delayqueue.handler.BatchTaskHandler;
import io.delayqueue.handler.DelayedTask;
import io.delayqueue.handler.HandleObservationContext;
import io.delayqueue.handler.HandlerOptions;
import io.delayqueue.handler.HandlerRegistration;
import io.delayqueue.handler.TaskHandler;
import io.delayqueue.handler.TaskHandlerRegistry;
import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.engine.DeliveryNames;
import io.delayqueue.internal.engine.DeliveryObservation;
import io.delayqueue.internal.queue.QueueSettings;
import io.delayqueue.internal.queue.TriggerSettings;
import io.delayqueue.internal.trigger.TriggerContext;
import io.delayqueue.trigger.ScanTrigger;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.ObservationRegistry;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.core.task.TaskDecorator;

/** The registered handlers, each with its trigger. */
public final class RegisteredHandlers implements TaskHandlerRegistry, SmartLifecycle, DisposableBean {

    private static final Logger log = LoggerFactory.getLogger(RegisteredHandlers.class);
    private static final DeliveryNames<HandleObservationContext> NAMES = new DeliveryNames<>(
            "handle", HandleObservationContext.class, HandleObservationContext::delivery, context -> KeyValues.empty());

    private final TriggerContext context;
    private final DelayedTasks tasks;
    private final Function<Delivery, DeliveryObservation> observations;
    private final FailurePolicy failures;
    private final Map<String, HandlerTrigger> triggers = new ConcurrentHashMap<>();
    private final Map<String, HandlerRegistration> registrations = new ConcurrentHashMap<>();
    private volatile Set<String> otherwiseScanned = Set.of();
    private volatile TaskDecorator decorator = task -> task;
    private volatile boolean autoStartup = true;
    private volatile boolean running;

    /**
     * @param observations registry that observes each delivery as {@code delayqueue.handle}
     * @param failures decides the effect of exceptions, for all handlers
     */
    public RegisteredHandlers(
            TriggerContext context, DelayedTasks tasks, ObservationRegistry observations, FailurePolicy failures) {
        this.context = context;
        this.tasks = tasks;
        this.observations = delivery ->
                DeliveryObservation.start(observations, NAMES, () -> new HandleObservationContext(delivery), Map.of());
        this.failures = failures;
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T> HandlerRegistration register(
            String queue, ParameterizedTypeReference<T> payloadType, TaskHandler<T> handler, HandlerOptions options) {
        Type type = payloadType.getType();
        DeliveryHandler.Call call = deliveries -> {
            handler.handle((DelayedTask<T>) tasks.task(deliveries.get(0), type));
            return null;
        };
        return register(queue, handler(call, false, type), options);
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T> HandlerRegistration registerAsync(
            String queue, Class<T> payloadType, AsyncTaskHandler<T> handler, HandlerOptions options) {
        DeliveryHandler.Call call = deliveries -> {
            CompletionStage<?> work = handler.handle((DelayedTask<T>) tasks.task(deliveries.get(0), payloadType));
            // A separate stage: cancelling it does not affect the stage of the handler.
            return (work == null) ? null : work.thenApply(value -> value);
        };
        return register(queue, handler(call, false, payloadType), options);
    }

    @Override
    @SuppressWarnings({"unchecked", "rawtypes"})
    public <T> HandlerRegistration registerBatch(
            String queue, Class<T> payloadType, BatchTaskHandler<T> handler, HandlerOptions options) {
        DeliveryHandler.Call call = deliveries -> {
            List<DelayedTask<Object>> decoded = tasks.tasks(deliveries, payloadType);
            if (!decoded.isEmpty()) {
                handler.handle((List) decoded);
            }
            return null;
        };
        return register(queue, handler(call, true, payloadType), options);
    }

    private DeliveryHandler handler(DeliveryHandler.Call call, boolean takesBatches, Type type) {
        return new DeliveryHandler(call, takesBatches, delivery -> tasks.isTooNew(delivery, type));
    }

    /** Registers a handler of raw deliveries. */
    public HandlerRegistration register(String queue, DeliveryHandler handler, HandlerOptions options) {
        QueueSettings settings = context.queues().get(queue);
        if (!options.maxWait().isZero() && !handler.takesBatches()) {
            throw new DelayQueueException("Queue '" + queue
                    + "': maxWait applies to batches, but the handler takes one task. Remove maxWait, or take a list");
        }
        if (otherwiseScanned.contains(queue)) {
            throw new DelayQueueException("Queue '" + queue
                    + "' already has a trigger (a bean, or one for its exchange), and its tasks can have only one "
                    + "destination");
        }
        String id = (options.id() == null) ? queue : options.id();
        QueueSettings applied = applied(settings, options);
        HandlerTrigger trigger = new HandlerTrigger(
                queue,
                replacement -> new HandlerDestination(
                        handler,
                        applied,
                        options.maxWait(),
                        context,
                        observations,
                        failures.with(options.errorHandler()),
                        decorator,
                        replacement),
                context.with(applied));
        if (triggers.putIfAbsent(queue, trigger) != null) {
            throw new DelayQueueException("Queue '" + queue
                    + "' already has a handler. Close its registration first, or increase the handler's concurrency");
        }
        Registration registration = new Registration(id, trigger);
        if (registrations.putIfAbsent(id, registration) != null) {
            triggers.remove(queue, trigger);
            throw new DelayQueueException("Two handlers have the id '" + id + "', including the handler of queue '"
                    + queue + "'. Give them different ids");
        }
        try {
            startIfRunning(trigger);
        } catch (Throwable ex) {
            registration.close();
            throw ex;
        }
        return registration;
    }

    @Override
    public Optional<HandlerRegistration> getRegistration(String id) {
        return Optional.ofNullable(registrations.get(id));
    }

    /** Returns the settings of a queue as a handler overrides them. */
    private static QueueSettings applied(QueueSettings queue, HandlerOptions options) {
        TriggerSettings trigger = queue.trigger();
        try {
            return new QueueSettings(
                    queue.name(),
                    queue.shards(),
                    queue.codec(),
                    or(options.lease(), queue.lease()),
                    queue.maxLeaseExpiries(),
                    or(options.retry(), queue.retry()),
                    new TriggerSettings(
                            trigger.autoStartup() && or(options.autoStartup(), true),
                            or(options.concurrency(), trigger.concurrency()),
                            trigger.threadNamePrefix(),
                            or(options.batchSize(), trigger.batchSize()),
                            trigger.maxIdleInterval(),
                            or(options.shutdownTimeout(), trigger.shutdownTimeout())),
                    queue.dead(),
                    queue.minReplicas(),
                    options.timeout() == null ? queue.handlerTimeout() : options.timeout(),
                    queue.timing(),
                    queue.limits(),
                    queue.history(),
                    queue.stackTraceSize());
        } catch (IllegalArgumentException ex) {
            throw new DelayQueueException(
                    "Queue '" + queue.name() + "': the options of its handler are invalid: " + ex.getMessage(), ex);
        }
    }

    private static <T> T or(@Nullable T value, T otherwise) {
        return value == null ? otherwise : value;
    }

    private void startIfRunning(HandlerTrigger trigger) {
        if (running && trigger.isAutoStartup()) {
            trigger.start();
            if (!running) {
                // The application has been stopped in the meantime, perhaps without this handler.
                trigger.stop();
            }
        }
    }

    /**
     * Returns the configured settings of the queue.
     *
     * @throws io.delayqueue.UnknownQueueException if the queue is not configured
     */
    public QueueSettings settings(String queue) {
        return context.queues().get(queue);
    }

    /** Rejects handlers for these queues from now on, because other triggers of the application scan the queues. */
    public void refuse(Set<String> queues) {
        this.otherwiseScanned = Set.copyOf(queues);
    }

    @Override
    public Set<String> queues() {
        return Set.copyOf(triggers.keySet());
    }

    /**
     * Sets a decorator for all deliveries to handlers that start from now on. It runs on the handler's thread, around
     * everything that happens there. Its {@code Runnable} must run the decorated one exactly once before it returns.
     */
    public void setTaskDecorator(TaskDecorator decorator) {
        this.decorator = decorator;
    }

    /** Sets whether handlers start with the application. {@code false} overrides their options. */
    public void setAutoStartup(boolean autoStartup) {
        this.autoStartup = autoStartup;
    }

    @Override
    public boolean isAutoStartup() {
        return autoStartup;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public void start() {
        running = true;
        triggers.values().stream().filter(ScanTrigger::isAutoStartup).forEach(ScanTrigger::start);
    }

    /** Stops all handlers concurrently and waits for them. */
    @Override
    public void stop() {
        CountDownLatch stopped = new CountDownLatch(1);
        stop(stopped::countDown);
        try {
            stopped.await();
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
    }

    /** Stops all handlers concurrently, and runs the callback when the last has stopped. */
    @Override
    public void stop(Runnable callback) {
        running = false;
        Collection<HandlerTrigger> stopping = new ArrayList<>(triggers.values());
        AtomicInteger left = new AtomicInteger(stopping.size() + 1);
        Runnable stopped = () -> {
            if (left.decrementAndGet() == 0) {
                callback.run();
            }
        };
        stopping.forEach(trigger -> trigger.stop(stopped));
        stopped.run();
    }

    /**
     * Stops the remaining handlers, running or not. If a context fails to start, Spring destroys it without stopping
     * it.
     */
    @Override
    public void destroy() {
        stop();
        triggers.values()
                .forEach(trigger -> Guard.run(
                        log, "The handler of queue '" + trigger.queue() + "' could not be closed", trigger::destroy));
    }

    /** Returns the triggers of all handlers, for components that manage all triggers of an application. */
    public List<ScanTrigger> triggers() {
        return List.copyOf(triggers.values());
    }

    private final class Registration implements HandlerRegistration {

        private final String id;
        private final HandlerTrigger trigger;

        Registration(String id, HandlerTrigger trigger) {
            this.id = id;
            this.trigger = trigger;
        }

        @Override
        public String id() {
            return id;
        }

        @Override
        public String queue() {
            return trigger.queue();
        }

        @Override
        public boolean isRunning() {
            return trigger.isRunning();
        }

        @Override
        public void start() {
            trigger.start();
            if (trigger.isDestroyed()) {
                throw new DelayQueueException(
                        "The handler of queue '" + trigger.queue() + "' was closed; register it again to start it");
            }
        }

        @Override
        public void stop() {
            trigger.stop();
        }

        /** Frees the queue for another handler. */
        @Override
        public void close() {
            trigger.destroy();
            registrations.remove(id, this);
            triggers.remove(trigger.queue(), trigger);
        }
    }
}
