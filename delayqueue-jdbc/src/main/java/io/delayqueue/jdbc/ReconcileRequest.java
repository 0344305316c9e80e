// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import java.time.Duration;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Asks for a run of the {@link DelayQueueReconciler}. Immutable. It only reports, unless it says what to {@link
 * Builder#mend mend}.
 *
 * <pre>{@code
 * ReconcileRequest.of("orders", openOrders)
 *         .mend(EnumSet.of(ReconcileDifference.Kind.MISSING))
 *         .perSecond(500)
 *         .build();
 * }</pre>
 */
public final class ReconcileRequest {

    private final Builder settings;

    private ReconcileRequest(Builder settings) {
        this.settings = settings;
    }

    /** Begins a request. */
    public static Builder of(String queue, ExpectedTasks expected) {
        return new Builder(queue, expected);
    }

    public String queue() {
        return settings.queue;
    }

    public ExpectedTasks expected() {
        return settings.expected;
    }

    public boolean mends(ReconcileDifference.Kind kind) {
        return settings.mend.contains(kind);
    }

    public boolean leftOvers() {
        return settings.leftOvers;
    }

    public String idPrefix() {
        return settings.idPrefix;
    }

    public int pageSize() {
        return settings.pageSize;
    }

    public int perSecond() {
        return settings.perSecond;
    }

    public Duration settle() {
        return settings.settle;
    }

    public Duration tolerance() {
        return settings.tolerance;
    }

    public Duration handedOver() {
        return settings.handedOver;
    }

    public ReconcilePlace from() {
        return settings.from;
    }

    public Consumer<ReconcileDifference> listener() {
        return settings.listener;
    }

    /** Collects the parts of a {@link ReconcileRequest}. Not safe for use by several threads, nor after {@link #build}. */
    public static final class Builder {

        private static final Duration LONGEST = Duration.ofDays(365);

        private final String queue;
        private final ExpectedTasks expected;
        private final Set<ReconcileDifference.Kind> mend = EnumSet.noneOf(ReconcileDifference.Kind.class);
        private boolean leftOvers = true;
        private String idPrefix = "";
        private int pageSize = 100;
        private int perSecond = 200;
        private Duration settle = Duration.ofSeconds(2);
        private Duration tolerance = Duration.ofSeconds(1);
        private Duration handedOver = Duration.ofMinutes(10);
        private ReconcilePlace from = ReconcilePlace.beginning();
        private Consumer<ReconcileDifference> listener = difference -> {};

        private Builder(String queue, ExpectedTasks expected) {
            this.queue = queue;
            this.expected = expected;
        }

        /** Which differences to mend; none unless given. {@link ReconcileDifference.Kind#DEAD} never is. */
        public Builder mend(Collection<ReconcileDifference.Kind> kinds) {
            mend.clear();
            mend.addAll(kinds);
            mend.remove(ReconcileDifference.Kind.DEAD);
            return this;
        }

        /** Whether to look at all tasks of the queue for those left over; true unless given. */
        public Builder leftOvers(boolean look) {
            this.leftOvers = look;
            return this;
        }

        /** Looks for those left over only among tasks whose ids begin so, for a queue of several kinds of tasks. */
        public Builder idPrefix(String idPrefix) {
            this.idPrefix = idPrefix;
            return this;
        }

        /** How many tasks are read at a time, 1 to 500; 100 unless given. */
        public Builder pageSize(int pageSize) {
            this.pageSize = within(pageSize, 500, "The size of a page");
            return this;
        }

        /** How many tasks are looked at in a second at most, 1 to 1,000,000; 200 unless given. */
        public Builder perSecond(int perSecond) {
            this.perSecond = within(perSecond, 1_000_000, "The pace");
            return this;
        }

        /**
         * How long after the first look at a difference the second one follows, once for a page; 2 s unless given. Should be longer
         * than transactions and the relay usually take.
         */
        public Builder settle(Duration settle) {
            this.settle = within(settle, "The time to settle");
            return this;
        }

        /** By how much a due time may differ; 1 s unless given. */
        public Builder tolerance(Duration tolerance) {
            this.tolerance = within(tolerance, "The tolerance");
            return this;
        }

        /**
         * How long after its due time a task that has left the queue may be on its way to a consumer, by the application's clock;
         * 10 minutes unless given.
         */
        public Builder handedOver(Duration handedOver) {
            this.handedOver = within(handedOver, "The time after the hand-over");
            return this;
        }

        /** Goes on from where another run of the same request has ended. */
        public Builder from(ReconcilePlace from) {
            this.from = from;
            return this;
        }

        /** Is told of each difference, on the thread of the run, after it was mended. */
        public Builder onDifference(Consumer<ReconcileDifference> listener) {
            this.listener = listener;
            return this;
        }

        public ReconcileRequest build() {
            return new ReconcileRequest(this);
        }

        private static int within(int value, int most, String what) {
            if (value < 1 || value > most) {
                throw new IllegalArgumentException(what + " must be 1 to " + most + ", but is " + value);
            }
            return value;
        }

        private static Duration within(Duration value, String what) {
            if (value.isNegative() || value.compareTo(LONGEST) > 0) {
                throw new IllegalArgumentException(what + " must be from 0 to 365 days, but is " + value);
            }
            return value;
        }
    }
}
