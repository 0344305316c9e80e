// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

import io.delayqueue.queue.Bound;
import io.delayqueue.queue.HandlerSettings;
import io.delayqueue.queue.QueueSettings;
import io.delayqueue.queue.RetrySettings;
import io.delayqueue.queue.TriggerSettings;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * What a handler asks for instead of its queue's settings; what is empty comes from there. What could not be a setting
 * of a queue is refused with an {@link IllegalArgumentException} that names it.
 *
 * @param concurrency how many tasks are handled at once in this process
 * @param batchSize tasks that a thread takes at a time and handles one after the other, in the order of their due times
 * @param lease how long a task stays ours without renewal
 * @param retry when failed tasks are tried again
 * @param closeTimeout how long a stop waits for running handlers
 * @param autoStartup whether the handler starts with the application, where the queue's {@code trigger.enabled} is true
 * @param neverRetryFor exceptions, with their subclasses, after which a task is dead at once, beside those that hold
 *     for all handlers
 * @param errorHandler called with each failure, instead of the one for all handlers
 * @param timeout how long one attempt may take
 */
public record HandlerOptions(
        Optional<Integer> concurrency,
        Optional<Integer> batchSize,
        Optional<Duration> lease,
        Optional<RetrySettings> retry,
        Optional<Duration> closeTimeout,
        Optional<Boolean> autoStartup,
        Set<Class<? extends Throwable>> neverRetryFor,
        Optional<DeliveryErrorHandler> errorHandler,
        Optional<Duration> timeout) {

    /** Everything as the queue's settings say. */
    public static final HandlerOptions DEFAULT = new HandlerOptions(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Set.of(),
            Optional.empty(),
            Optional.empty());

    public HandlerOptions {
        concurrency.ifPresent(threads -> Bound.THREADS.check("concurrency", threads));
        batchSize.ifPresent(size -> Bound.BATCH_SIZE.check("batchSize", size));
        lease.ifPresent(time -> Bound.LEASE.check("lease", time));
        closeTimeout.ifPresent(time -> Bound.CLOSE_TIMEOUT.check("closeTimeout", time));
        timeout.ifPresent(time -> Bound.HANDLER_TIMEOUT.check("timeout", time));
        neverRetryFor = Set.copyOf(neverRetryFor);
    }

    /** Returns the settings of a queue with these options. */
    QueueSettings applyTo(QueueSettings queue) {
        TriggerSettings trigger = queue.trigger();
        return queue.toBuilder()
                .lease(lease.orElse(queue.lease()))
                .retry(retry.orElse(queue.retry()))
                .handler(timeout.map(HandlerSettings::new).orElse(queue.handler()))
                .trigger(new TriggerSettings(
                        trigger.enabled(),
                        autoStartup.orElse(trigger.autoStartup()),
                        concurrency.orElse(trigger.threads()),
                        trigger.threadNamePrefix(),
                        batchSize.orElse(trigger.batchSize()),
                        trigger.maxIdleInterval(),
                        closeTimeout.orElse(trigger.closeTimeout()),
                        trigger.lookAhead(),
                        trigger.catchUpRate()))
                .build();
    }

    /** These options with another concurrency. */
    public HandlerOptions withConcurrency(int threads) {
        return new HandlerOptions(
                Optional.of(threads),
                batchSize,
                lease,
                retry,
                closeTimeout,
                autoStartup,
                neverRetryFor,
                errorHandler,
                timeout);
    }

    /** These options with more exceptions, with their subclasses, after which a task is dead at once. */
    public HandlerOptions withNeverRetryFor(Set<Class<? extends Throwable>> exceptions) {
        return failing(exceptions, errorHandler, timeout);
    }

    /** These options with an error handler of their own. */
    public HandlerOptions withErrorHandler(DeliveryErrorHandler handler) {
        return failing(neverRetryFor, Optional.of(handler), timeout);
    }

    /** These options with a time limit for each attempt. */
    public HandlerOptions withTimeout(Duration limit) {
        return failing(neverRetryFor, errorHandler, Optional.of(limit));
    }

    private HandlerOptions failing(
            Set<Class<? extends Throwable>> exceptions,
            Optional<DeliveryErrorHandler> handler,
            Optional<Duration> limit) {
        return new HandlerOptions(
                concurrency, batchSize, lease, retry, closeTimeout, autoStartup, exceptions, handler, limit);
    }
}
