// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

import java.util.Optional;
import java.util.Set;
import org.springframework.context.Lifecycle;
import org.springframework.core.ParameterizedTypeReference;

/**
 * The handlers of an application, by queue. A bean; inject it. Handlers registered before the application has started
 * start with it; later handlers start at once. All stop with the application, concurrently. Thread-safe.
 *
 * <p>A registration throws {@link io.delayqueue.UnknownQueueException} if the queue is not configured, and
 * {@link io.delayqueue.DelayQueueException} if the queue already has a handler or another trigger, or if the options
 * are invalid for it. After any exception, including a failure to start the handler at once, the queue remains free.
 */
public interface TaskHandlerRegistry extends Lifecycle {

    /** Registers a handler for a queue. */
    <T> HandlerRegistration register(
            String queue, Class<T> payloadType, TaskHandler<T> handler, HandlerOptions options);

    /** Registers a handler of payloads of a generic type, such as a {@code List<OrderLine>}. */
    <T> HandlerRegistration register(
            String queue, ParameterizedTypeReference<T> payloadType, TaskHandler<T> handler, HandlerOptions options);

    /** Registers a handler with the settings of its queue. */
    <T> HandlerRegistration register(String queue, Class<T> payloadType, TaskHandler<T> handler);

    /** Registers a handler whose work ends when the returned stage completes. */
    <T> HandlerRegistration registerAsync(
            String queue, Class<T> payloadType, AsyncTaskHandler<T> handler, HandlerOptions options);

    /** Registers a batch handler. */
    <T> HandlerRegistration registerBatch(
            String queue, Class<T> payloadType, BatchTaskHandler<T> handler, HandlerOptions options);

    /** Returns the registration with an id; a handler without an id has the name of its queue. */
    Optional<HandlerRegistration> getRegistration(String id);

    /** Returns the queues that have a handler. */
    Set<String> queues();

    /** Stops all handlers concurrently and waits for them. */
    @Override
    void stop();
}
