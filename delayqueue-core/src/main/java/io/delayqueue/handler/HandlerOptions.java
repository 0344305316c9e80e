// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

import io.delayqueue.internal.input.Bound;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Overrides of a queue's settings for one handler. Unset options use the queue's settings. Create them with
 * {@link #builder}.
 */
public final class HandlerOptions {

    /** Options without overrides. */
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

    /** Returns the handler's name; null for that of its queue. */
    public @Nullable String id() {
        return id;
    }

    /** Returns how many tasks, or batches, are handled concurrently; null for the queue's setting. */
    public @Nullable Integer concurrency() {
        return concurrency;
    }

    /** Returns how many tasks a thread acquires at a time; null for the queue's setting. */
    public @Nullable Integer batchSize() {
        return batchSize;
    }

    /** Returns how long a due task waits until a batch is full; zero for no wait. */
    public Duration maxWait() {
        return maxWait;
    }

    /** Returns the lease duration; null for the queue's setting. */
    public @Nullable Duration lease() {
        return lease;
    }

    /** Returns the retries of failed tasks; null for the queue's setting. */
    public @Nullable RetrySettings retry() {
        return retry;
    }

    /** Returns how long a stop waits for running handlers; null for the queue's setting. */
    public @Nullable Duration shutdownTimeout() {
        return shutdownTimeout;
    }

    /** Returns whether the handler starts with the application; null for the queue's setting. */
    public @Nullable Boolean autoStartup() {
        return autoStartup;
    }

    /** Returns the error handler of this handler; null for that of all handlers. */
    public @Nullable DeliveryErrorHandler errorHandler() {
        return errorHandler;
    }

    /** Returns the maximum duration of one attempt; null for the queue's setting. */
    public @Nullable Duration timeout() {
        return timeout;
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

        /** Sets the id of the handler for {@link TaskHandlerRegistry#getRegistration}. Default: the queue's name. */
        public Builder id(String name) {
            this.id = name;
            return this;
        }

        /** Sets how many tasks, or batches, are handled concurrently in this process. */
        public Builder concurrency(int threads) {
            this.concurrency = Bound.CONCURRENCY.check("concurrency", threads);
            return this;
        }

        /**
         * Sets how many tasks a thread acquires at a time. The thread handles them one after another in the order of
         * their due times; a batch handler receives at most this number together.
         */
        public Builder batchSize(int tasks) {
            this.batchSize = Bound.BATCH_SIZE.check("batchSize", tasks);
            return this;
        }

        /** Sets how long a due task waits until a batch of {@link #batchSize} is full; zero for no wait. */
        public Builder maxWait(Duration time) {
            this.maxWait = Bound.MAX_WAIT.check("maxWait", time);
            return this;
        }

        /** Sets the duration of the lease. The process renews the lease while the handler runs. */
        public Builder lease(Duration time) {
            this.lease = Bound.LEASE.check("lease", time);
            return this;
        }

        /** Sets the retries of failed tasks. */
        public Builder retry(RetrySettings policy) {
            this.retry = policy;
            return this;
        }

        /** Sets how long a stop waits for running handlers. */
        public Builder shutdownTimeout(Duration time) {
            this.shutdownTimeout = Bound.SHUTDOWN_TIMEOUT.check("shutdownTimeout", time);
            return this;
        }

        /**
         * Sets whether the handler starts with the application. The handler does not start if this or the queue's
         * {@code trigger.auto-startup} is false.
         */
        public Builder autoStartup(boolean starts) {
            this.autoStartup = starts;
            return this;
        }

        /** Sets the error handler for this handler, instead of the one that applies to all handlers. */
        public Builder errorHandler(DeliveryErrorHandler handler) {
            this.errorHandler = handler;
            return this;
        }

        /** Sets the maximum duration of one attempt; see {@code timeout} of the listener annotation. */
        public Builder timeout(Duration limit) {
            this.timeout = Bound.HANDLER_TIMEOUT.check("timeout", limit);
            return this;
        }

        public HandlerOptions build() {
            return new HandlerOptions(this);
        }
    }
}
