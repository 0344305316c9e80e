// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

import java.util.Optional;
import java.util.Set;
import org.springframework.context.Lifecycle;
import org.springframework.core.ParameterizedTypeReference;

/**
 * Registry of an application's handlers. Inject this bean into your code. Handlers that are registered before the
 * application has started start with it; later handlers start at once. All handlers stop concurrently with the
 * application. Thread-safe.
 *
 * <p>A registration throws {@link io.delayqueue.UnknownQueueException} if the queue is not configured, and {@link
 * io.delayqueue.DelayQueueException} if the queue already has a handler or another trigger, or if the options are
 * invalid. After an exception, including a failed start of the handler, another handler can be registered for the
 * queue.
 */
public interface TaskHandlerRegistry extends Lifecycle {

    /** Registers a handler for a queue. */
    default <T> HandlerRegistration register(
            String queue, Class<T> payloadType, TaskHandler<T> handler, HandlerOptions options) {
        return register(queue, ParameterizedTypeReference.<T>forType(payloadType), handler, options);
    }

    /** Registers a handler for payloads of a generic type, such as a {@code List<OrderLine>}. */
    <T> HandlerRegistration register(
            String queue, ParameterizedTypeReference<T> payloadType, TaskHandler<T> handler, HandlerOptions options);

    /** Registers a handler with the settings of its queue. */
    default <T> HandlerRegistration register(String queue, Class<T> payloadType, TaskHandler<T> handler) {
        return register(queue, payloadType, handler, HandlerOptions.DEFAULT);
    }

    /** Registers a handler whose work ends when the returned stage completes. */
    <T> HandlerRegistration registerAsync(
            String queue, Class<T> payloadType, AsyncTaskHandler<T> handler, HandlerOptions options);

    /** Registers a batch handler. */
    <T> HandlerRegistration registerBatch(
            String queue, Class<T> payloadType, BatchTaskHandler<T> handler, HandlerOptions options);

    /** Returns the registration with this id. The default id is the name of the queue. */
    Optional<HandlerRegistration> getRegistration(String id);

    /** Returns the queues that have a handler. */
    Set<String> queues();

    /** Stops all handlers concurrently and waits for them. */
    @Override
    void stop();
}
