// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import java.time.Duration;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A request to the {@link DelayQueueReconciler}. It only reports unless {@link Builder#mend mend} is set. The builder
 * explains the components.
 * <pre>{@code
 * ReconcileRequest.of("orders", openOrders)
 *         .mend(EnumSet.of(ReconcileDifference.Kind.MISSING))
 *         .perSecond(500)
 *         .build();
 * }</pre>
 *
 * @param expected the tasks that should be in the queue
 */
public record ReconcileRequest(
        String queue,
        ExpectedTasks expected,
        Set<ReconcileDifference.Kind> mend,
        boolean leftOvers,
        String idPrefix,
        int pageSize,
        int perSecond,
        Duration settle,
        Duration handedOver,
        Consumer<ReconcileDifference> listener) {

    private static final Duration LONGEST = Duration.ofDays(365);

    public ReconcileRequest {
        mend = Set.copyOf(mend);
        check(pageSize, 500, "The page size");
        check(perSecond, 1_000_000, "The number of tasks per second");
        check(settle, "The settle time");
        check(handedOver, "The hand-over time");
    }

    private static void check(int value, int most, String what) {
        if (value < 1 || value > most) {
            throw new IllegalArgumentException(what + " must be 1 to " + most + ", but is " + value);
        }
    }

    private static void check(Duration value, String what) {
        if (value.isNegative() || value.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(what + " must be from 0 to 365 days, but is " + value);
        }
    }

    /** Starts a request. */
    public static Builder of(String queue, ExpectedTasks expected) {
        return new Builder(queue, expected);
    }

    /** Builder for a {@link ReconcileRequest}. Not thread-safe. */
    public static final class Builder {

        private final String queue;
        private final ExpectedTasks expected;
        private final Set<ReconcileDifference.Kind> mend = EnumSet.noneOf(ReconcileDifference.Kind.class);
        private boolean leftOvers = true;
        private String idPrefix = "";
        private int pageSize = 100;
        private int perSecond = 200;
        private Duration settle = Duration.ofSeconds(2);
        private Duration handedOver = Duration.ofMinutes(10);
        private Consumer<ReconcileDifference> listener = difference -> {};

        private Builder(String queue, ExpectedTasks expected) {
            this.queue = queue;
            this.expected = expected;
        }

        /** Sets the differences to repair. Default: none. {@link ReconcileDifference.Kind#DEAD} is never repaired. */
        public Builder mend(Collection<ReconcileDifference.Kind> kinds) {
            mend.clear();
            mend.addAll(kinds);
            mend.remove(ReconcileDifference.Kind.DEAD);
            return this;
        }

        /** Sets whether to search all tasks of the queue for left-over tasks. Default: {@code true}. */
        public Builder leftOvers(boolean leftOvers) {
            this.leftOvers = leftOvers;
            return this;
        }

        /** Limits the search for left-over tasks to ids with this prefix, for a queue with several kinds of tasks. */
        public Builder idPrefix(String idPrefix) {
            this.idPrefix = idPrefix;
            return this;
        }

        /** Sets the number of tasks to read at a time, 1 to 500. Default: 100. */
        public Builder pageSize(int pageSize) {
            this.pageSize = pageSize;
            return this;
        }

        /** Sets the maximum number of tasks to compare per second, 1 to 1,000,000. Default: 200. */
        public Builder perSecond(int perSecond) {
            this.perSecond = perSecond;
            return this;
        }

        /**
         * Sets the time between the two comparisons of a difference, once per page. Default: 2 s. It should exceed the
         * usual duration of transactions and the relay.
         */
        public Builder settle(Duration settle) {
            this.settle = settle;
            return this;
        }

        /**
         * Sets how long after its due time a task that has left the queue may still be in transit to a consumer, by the
         * application's clock. Default: 10 minutes.
         */
        public Builder handedOver(Duration handedOver) {
            this.handedOver = handedOver;
            return this;
        }

        /** Sets a listener that is called for each difference, on the thread of the run, after any repair. */
        public Builder onDifference(Consumer<ReconcileDifference> listener) {
            this.listener = listener;
            return this;
        }

        public ReconcileRequest build() {
            return new ReconcileRequest(
                    queue, expected, mend, leftOvers, idPrefix, pageSize, perSecond, settle, handedOver, listener);
        }
    }
}
