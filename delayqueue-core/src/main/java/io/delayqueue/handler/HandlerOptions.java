// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

import io.delayqueue.queue.Bound;
import io.delayqueue.queue.HandlerSettings;
import io.delayqueue.queue.QueueSettings;
import io.delayqueue.queue.RetrySettings;
import io.delayqueue.queue.TriggerSettings;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Overrides of a queue's settings for one handler. Unset options use the queue's settings. */
public final class HandlerOptions {

    /** No overrides. */
    public static final HandlerOptions DEFAULT = builder().build();

    private final @Nullable String id;
    private final @Nullable Integer concurrency;
    private final @Nullable Integer batchSize;
    private final Duration maxWait;
    private final @Nullable Duration lease;
    private final @Nullable RetrySettings retry;
    private final @Nullable Duration shutdownTimeout;
    private final @Nullable Boolean autoStartup;
    private final @Nullable DeliveryErrorHandler errorHandler;
    private final @Nullable Duration timeout;

    private HandlerOptions(Builder builder) {
        this.id = builder.id;
        this.concurrency = builder.concurrency;
        this.batchSize = builder.batchSize;
        this.maxWait = builder.maxWait;
        this.lease = builder.lease;
        this.retry = builder.retry;
        this.shutdownTimeout = builder.shutdownTimeout;
        this.autoStartup = builder.autoStartup;
        this.errorHandler = builder.errorHandler;
        this.timeout = builder.timeout;
    }

    /** Returns a builder without overrides. */
    public static Builder builder() {
        return new Builder();
    }

    /** Returns the name of the handler, or else that of its queue. */
    String idOr(String queue) {
        return id == null ? queue : id;
    }

    Duration maxWait() {
        return maxWait;
    }

    DeliveryErrorHandler errorHandlerOr(DeliveryErrorHandler ofAll) {
        return errorHandler == null ? ofAll : errorHandler;
    }

    /** Returns the settings of a queue with these overrides. */
    QueueSettings applyTo(QueueSettings queue) {
        TriggerSettings trigger = queue.trigger();
        return queue.toBuilder()
                .lease(lease == null ? queue.lease() : lease)
                .retry(retry == null ? queue.retry() : retry)
                .handler(timeout == null ? queue.handler() : new HandlerSettings(timeout))
                .trigger(new TriggerSettings(
                        trigger.autoStartup() && (autoStartup == null || autoStartup),
                        concurrency == null ? trigger.concurrency() : concurrency,
                        trigger.threadNamePrefix(),
                        batchSize == null ? trigger.batchSize() : batchSize,
                        trigger.maxIdleInterval(),
                        shutdownTimeout == null ? trigger.shutdownTimeout() : shutdownTimeout,
                        trigger.lookAhead()))
                .build();
    }

    /** Builder for options. Values that are invalid as queue settings fail with an {@link IllegalArgumentException}. */
    public static final class Builder {

        private @Nullable String id;
        private @Nullable Integer concurrency;
        private @Nullable Integer batchSize;
        private Duration maxWait = Duration.ZERO;
        private @Nullable Duration lease;
        private @Nullable RetrySettings retry;
        private @Nullable Duration shutdownTimeout;
        private @Nullable Boolean autoStartup;
        private @Nullable DeliveryErrorHandler errorHandler;
        private @Nullable Duration timeout;

        private Builder() {}

        /** Sets the handler's name for {@link TaskHandlerRegistry#getRegistration}. Default: the queue's name. */
        public Builder id(String name) {
            this.id = name;
            return this;
        }

        /** Sets how many tasks, or batches, are handled concurrently in this process. */
        public Builder concurrency(int threads) {
            Bound.CONCURRENCY.check("concurrency", threads);
            this.concurrency = threads;
            return this;
        }

        /**
         * Sets how many tasks a thread acquires at a time. It handles them one after the other in the order of their
         * due times; a batch handler gets at most this many together.
         */
        public Builder batchSize(int tasks) {
            Bound.BATCH_SIZE.check("batchSize", tasks);
            this.batchSize = tasks;
            return this;
        }

        /** Sets how long a due task waits until a batch of {@link #batchSize} is full; zero for no wait. */
        public Builder maxWait(Duration time) {
            Bound.MAX_WAIT.check("maxWait", time);
            this.maxWait = time;
            return this;
        }

        /** Sets the lease duration without renewal. */
        public Builder lease(Duration time) {
            Bound.LEASE.check("lease", time);
            this.lease = time;
            return this;
        }

        /** Sets the retries of failed tasks. */
        public Builder retry(RetrySettings policy) {
            this.retry = policy;
            return this;
        }

        /** Sets how long a stop waits for running handlers. */
        public Builder shutdownTimeout(Duration time) {
            Bound.SHUTDOWN_TIMEOUT.check("shutdownTimeout", time);
            this.shutdownTimeout = time;
            return this;
        }

        /**
         * Sets whether the handler starts with the application. If it or the queue's {@code trigger.auto-startup} is
         * false, the handler does not start.
         */
        public Builder autoStartup(boolean starts) {
            this.autoStartup = starts;
            return this;
        }

        /** Sets the error handler to call for each failure, instead of the error handler for all handlers. */
        public Builder errorHandler(DeliveryErrorHandler handler) {
            this.errorHandler = handler;
            return this;
        }

        /** Sets the maximum duration of one attempt. */
        public Builder timeout(Duration limit) {
            Bound.HANDLER_TIMEOUT.check("timeout", limit);
            this.timeout = limit;
            return this;
        }

        public HandlerOptions build() {
            return new HandlerOptions(this);
        }
    }
}
