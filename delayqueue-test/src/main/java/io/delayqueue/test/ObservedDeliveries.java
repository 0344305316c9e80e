// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test;

import io.delayqueue.DelayQueueException;
import io.delayqueue.delivery.Delivery;
import io.delayqueue.delivery.DeliveryInterceptor;
import io.delayqueue.delivery.OpenDelivery;
import io.delayqueue.delivery.Outcome;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Counts deliveries and fails those that the test has marked. Thread-safe. */
final class ObservedDeliveries {

    /** Maximum number of deliveries of a task at one moment. With more, the kit reports an endless loop. */
    private static final int MOST_AT_ONE_MOMENT = 1_000;

    private final AtomicLong begun = new AtomicLong();
    private final AtomicLong ended = new AtomicLong();
    private final Set<Attempt> underWay = ConcurrentHashMap.newKeySet();
    private final Map<Task, Integer> toFail = new ConcurrentHashMap<>();
    private final Map<Task, Integer> delivered = new ConcurrentHashMap<>();
    private final Map<Task, Integer> atThisMoment = new ConcurrentHashMap<>();
    private volatile @Nullable String endless;
    private volatile boolean refusing;

    /** Returns the interceptor. It must run last, so that all others observe provoked failures. */
    DeliveryInterceptor interceptor() {
        return new Observer();
    }

    /** Returns the number of started deliveries, including provoked failures. */
    long begun() {
        return begun.get();
    }

    /** Returns the number of ended deliveries, including refused ones. */
    long ended() {
        return ended.get();
    }

    /** Refuses new deliveries: acquired tasks are released when their turn comes. */
    void refuse() {
        refusing = true;
    }

    void admit() {
        refusing = false;
    }

    /**
     * Returns whether no delivery is in progress, with or without a lease. A cancel or a replacement ends the lease of
     * a delivery.
     */
    boolean areOver() {
        return underWay.isEmpty();
    }

    /** Describes each delivery in progress that has no lease, with one line per task. */
    String describedWithoutLease(BiPredicate<String, String> leased) {
        Map<Task, Long> attempts =
                underWay.stream().collect(Collectors.groupingBy(Attempt::task, TreeMap::new, Collectors.counting()));
        StringBuilder text = new StringBuilder();
        attempts.forEach((task, count) -> {
            long without = leased.test(task.queue(), task.id()) ? count - 1 : count;
            if (without > 0) {
                text.append(System.lineSeparator())
                        .append("  queue '")
                        .append(task.queue())
                        .append("': ")
                        .append(without)
                        .append(" delivery(s) of task '")
                        .append(task.id())
                        .append("' in progress without a lease, because the task was cancelled, moved or replaced");
            }
        });
        return text.toString();
    }

    /** Resets the counters for a new moment. */
    void atNewMoment() {
        atThisMoment.clear();
        endless = null;
    }

    /**
     * Returns a description of a task that is delivered endlessly while the clock does not advance; {@code null} if
     * there is none.
     */
    @Nullable
    String endless() {
        return endless;
    }

    void failNext(String queue, String id, int times) {
        toFail.merge(new Task(queue, id), times, Integer::sum);
    }

    /** Claims a delivery of the task that no earlier call has claimed. Returns {@code false} if there is none. */
    boolean takeDelivered(String queue, String id) {
        return take(delivered, new Task(queue, id));
    }

    /** Clears all records. The outcomes of deliveries in progress will not be recorded. */
    void forget() {
        underWay.clear();
        toFail.clear();
        delivered.clear();
        atNewMoment();
    }

    private void count(Task task) {
        begun.incrementAndGet();
        if (atThisMoment.merge(task, 1, Integer::sum) > MOST_AT_ONE_MOMENT) {
            endless = "Task '" + task.id() + "' of queue '" + task.queue() + "' was delivered more than "
                    + MOST_AT_ONE_MOMENT + " times at one moment";
        }
    }

    private boolean end(Attempt attempt) {
        ended.incrementAndGet();
        return underWay.remove(attempt);
    }

    private static boolean take(Map<Task, Integer> counts, Task task) {
        boolean[] taken = {false};
        counts.computeIfPresent(task, (any, left) -> {
            taken[0] = true;
            return (left == 1) ? null : left - 1;
        });
        return taken[0];
    }

    private record Task(String queue, String id) implements Comparable<Task> {

        @Override
        public int compareTo(Task other) {
            int byQueue = queue.compareTo(other.queue);
            return (byQueue != 0) ? byQueue : id.compareTo(other.id);
        }

        static Task of(Delivery delivery) {
            return new Task(delivery.queue(), delivery.id());
        }
    }

    private record Attempt(Task task, long token) {

        static Attempt of(Delivery delivery) {
            return new Attempt(Task.of(delivery), delivery.fencingToken());
        }
    }

    private final class Observer implements DeliveryInterceptor {

        @Override
        public void before(Delivery delivery) {
            Attempt attempt = Attempt.of(delivery);
            underWay.add(attempt); // This comes first: a started delivery counts as in progress or as ended.
            if (refusing) {
                end(attempt);
                ((OpenDelivery) delivery).settle(Outcome.released()); // Ignores failed attempts of an earlier test.
                throw new DelayQueueException("Task '" + delivery.id() + "' of queue '" + delivery.queue()
                        + "' was not delivered: the test kit is resetting");
            }
            count(attempt.task());
            if (take(toFail, attempt.task())) {
                end(attempt);
                throw new ProvokedFailure("The test requested this failure of task '" + delivery.id() + "', attempt "
                        + delivery.attempt());
            }
        }

        @Override
        public void after(Delivery delivery) {
            if (end(Attempt.of(delivery))) {
                delivered.merge(Task.of(delivery), 1, Integer::sum);
            }
        }

        @Override
        public void error(Delivery delivery, Throwable error) {
            end(Attempt.of(delivery));
        }
    }
}
