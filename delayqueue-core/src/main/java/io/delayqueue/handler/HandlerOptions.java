// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

import io.delayqueue.queue.Bound;
import io.delayqueue.queue.HandlerSettings;
import io.delayqueue.queue.QueueSettings;
import io.delayqueue.queue.RetrySettings;
import io.delayqueue.queue.TriggerSettings;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a handler asks for instead of its queue's settings. What it does not ask for comes from there. */
public final class HandlerOptions {

    /** Everything as the queue's settings say. */
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

    /** Returns a builder with everything as the queue's settings say. */
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

    /** Returns the settings of a queue with these options. */
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
                        trigger.lookAhead(),
                        trigger.catchUpRate()))
                .build();
    }

    /** Takes options. What could not be a setting of a queue is refused with an {@link IllegalArgumentException}. */
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

        /** Names the handler for {@link TaskHandlerRegistry#getRegistration}, which else knows it by its queue. */
        public Builder id(String name) {
            this.id = name;
            return this;
        }

        /** Sets how many tasks, or batches, are handled at once in this process. */
        public Builder concurrency(int threads) {
            Bound.CONCURRENCY.check("concurrency", threads);
            this.concurrency = threads;
            return this;
        }

        /**
         * Sets how many tasks a thread takes at a time and handles one after the other, in the order of their due times; for
         * a handler of batches, how many it gets at most.
         */
        public Builder batchSize(int tasks) {
            Bound.BATCH_SIZE.check("batchSize", tasks);
            this.batchSize = tasks;
            return this;
        }

        /**
         * Sets how long a due task waits for others until a handler of batches gets fewer than {@link #batchSize}; zero for
         * not at all.
         */
        public Builder maxWait(Duration time) {
            Bound.MAX_WAIT.check("maxWait", time);
            this.maxWait = time;
            return this;
        }

        /** Sets how long a task stays ours without renewal. */
        public Builder lease(Duration time) {
            Bound.LEASE.check("lease", time);
            this.lease = time;
            return this;
        }

        /** Sets when failed tasks are tried again. */
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
         * Sets whether the handler starts with the application. It does not if the queue's {@code trigger.auto-startup} is
         * false.
         */
        public Builder autoStartup(boolean starts) {
            this.autoStartup = starts;
            return this;
        }

        /** Sets what is called with each failure, instead of the one for all handlers. */
        public Builder errorHandler(DeliveryErrorHandler handler) {
            this.errorHandler = handler;
            return this;
        }

        /** Sets how long one attempt may take. */
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
