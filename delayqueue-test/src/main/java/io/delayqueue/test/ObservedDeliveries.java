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

/** Counts deliveries, and lets those fail that are to. Safe for use by many threads. */
final class ObservedDeliveries {

    /** How often one task may be delivered at one moment, before it is said that this has no end. */
    private static final int MOST_AT_ONE_MOMENT = 1_000;

    private final AtomicLong begun = new AtomicLong();
    private final AtomicLong ended = new AtomicLong();
    private final Set<Attempt> underWay = ConcurrentHashMap.newKeySet();
    private final Map<Task, Integer> toFail = new ConcurrentHashMap<>();
    private final Map<Task, Integer> delivered = new ConcurrentHashMap<>();
    private final Map<Task, Integer> atThisMoment = new ConcurrentHashMap<>();
    private volatile @Nullable String endless;
    private volatile boolean refusing;

    /** What is to be the last of the interceptors, so that all others hear of failures that are asked for. */
    DeliveryInterceptor interceptor() {
        return new Observer();
    }

    /** How many have begun, those that were to fail included. */
    long begun() {
        return begun.get();
    }

    /** How many have ended, those that were refused included. */
    long ended() {
        return ended.get();
    }

    /** None begins any more: those that were acquired are given back when their turns come. */
    void refuse() {
        refusing = true;
    }

    /** They begin again. */
    void admit() {
        refusing = false;
    }

    /** Whether none is under way, in Redis or not: who cancels or replaces a task ends the lease of its delivery. */
    boolean areOver() {
        return underWay.isEmpty();
    }

    /** A line for each that is under way although it has no lease, of each task once. */
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
                        .append("' under way without a lease, as it was cancelled, rescheduled or replaced meanwhile");
            }
        });
        return text.toString();
    }

    /** Time is another. */
    void atNewMoment() {
        atThisMoment.clear();
        endless = null;
    }

    /** Which task is delivered over and over again while time stands still, if one is. */
    @Nullable
    String endless() {
        return endless;
    }

    void failNext(String queue, String id, int times) {
        toFail.merge(new Task(queue, id), times, Integer::sum);
    }

    /** Whether the task was delivered once more than was asked for; then that is used up. */
    boolean takeDelivered(String queue, String id) {
        return take(delivered, new Task(queue, id));
    }

    /** Also those that are under way: how they end is not noted. */
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
            underWay.add(attempt); // before all else: what has begun is under way, or over
            if (refusing) {
                end(attempt);
                ((OpenDelivery) delivery).settle(Outcome.released()); // no failed attempt of a test that is over
                throw new DelayQueueException("Task '" + delivery.id() + "' of queue '" + delivery.queue()
                        + "' is not delivered any more: the test kit is being reset");
            }
            count(attempt.task());
            if (take(toFail, attempt.task())) {
                end(attempt);
                throw new ProvokedFailure("The test has asked for this failure of task '" + delivery.id()
                        + "', attempt " + delivery.attempt());
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
