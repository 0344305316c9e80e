// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import java.time.Duration;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Asks for a run of the {@link DelayQueueReconciler}. It only reports, unless it says what to {@link Builder#mend mend}. The builder
 * explains the parts.
 *
 * <pre>{@code
 * ReconcileRequest.of("orders", openOrders)
 *         .mend(EnumSet.of(ReconcileDifference.Kind.MISSING))
 *         .perSecond(500)
 *         .build();
 * }</pre>
 *
 * @param expected what should be in the queue
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
        check(pageSize, 500, "The size of a page");
        check(perSecond, 1_000_000, "The pace");
        check(settle, "The time to settle");
        check(handedOver, "The time after the hand-over");
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

    /** Begins a request. */
    public static Builder of(String queue, ExpectedTasks expected) {
        return new Builder(queue, expected);
    }

    /** Collects the parts of a {@link ReconcileRequest}. Not safe for use by several threads. */
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

        /** Sets which differences to mend; none unless given. {@link ReconcileDifference.Kind#DEAD} never is. */
        public Builder mend(Collection<ReconcileDifference.Kind> kinds) {
            mend.clear();
            mend.addAll(kinds);
            mend.remove(ReconcileDifference.Kind.DEAD);
            return this;
        }

        /** Sets whether to look at all tasks of the queue for those left over; true unless given. */
        public Builder leftOvers(boolean leftOvers) {
            this.leftOvers = leftOvers;
            return this;
        }

        /** Looks for those left over only among tasks whose ids begin so, for a queue of several kinds of tasks. */
        public Builder idPrefix(String idPrefix) {
            this.idPrefix = idPrefix;
            return this;
        }

        /** Sets how many tasks are read at a time, 1 to 500; 100 unless given. */
        public Builder pageSize(int pageSize) {
            this.pageSize = pageSize;
            return this;
        }

        /** Sets how many tasks are looked at in a second at most, 1 to 1,000,000; 200 unless given. */
        public Builder perSecond(int perSecond) {
            this.perSecond = perSecond;
            return this;
        }

        /**
         * Sets the time from the first look at a difference to the second one, once for a page; 2 s unless given. Should be longer
         * than transactions and the relay usually take.
         */
        public Builder settle(Duration settle) {
            this.settle = settle;
            return this;
        }

        /**
         * Sets the time after its due time for which a task that has left the queue may be on its way to a consumer, by the
         * application's clock; 10 minutes unless given.
         */
        public Builder handedOver(Duration handedOver) {
            this.handedOver = handedOver;
            return this;
        }

        /** Sets what is told of each difference, on the thread of the run, after it was mended. */
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
