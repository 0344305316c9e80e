// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test;

import io.delayqueue.DelayQueueException;
import io.delayqueue.Due;
import io.delayqueue.ListedTask;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Test kit that advances the clock of an application's queues and inspects their contents. The queues are real: they
 * use a real Redis and the application's own triggers and threads.
 * <pre>{@code
 * @DelayQueueTest({Orders.class, OrderTimeouts.class})
 * class OrderTimeoutTests {
 *
 *     @Test
 *     void orderIsClosedAfterAQuarterOfAnHour(@Autowired Orders orders, @Autowired DelayQueueTestKit kit) {
 *         orders.place("order-42");
 *         assertThat(kit.queue("orders")).hasTask("order-42").dueIn(Duration.ofMinutes(15));
 *         kit.advance(Duration.ofMinutes(15));
 *         assertThat(orders.find("order-42").isClosed()).isTrue();
 *     }
 * }
 * }</pre>
 *
 * <h2>Time</h2> The clock, which the Redis scripts also use, advances only during {@link #advance}, {@link #advanceTo}
 * and {@link #drain}. It starts at the creation time of the context and counts whole milliseconds. Therefore, a task
 * that is due in 15 minutes is delivered exactly when 15 minutes have passed. Tasks that are due at once are delivered
 * without any of these calls. While the clock does not advance, leases do not expire.
 *
 * <p>The clock moves from due time to due time. Each task is delivered at exactly its due time, in order across all
 * queues. The clock advances only when no due tasks are left. Failed tasks are retried on time. Tasks that a handler
 * schedules are delivered if they are due before the end, and a task that repeats every minute is delivered sixty times
 * in an hour. As in production, tasks that are due in the same millisecond have no order, unless their queue defines
 * one. Committed outbox changes are sent to Redis first.
 *
 * <p>The kit does not wait for due tasks of queues that are paused or not scanned by a started trigger of this context.
 * It does wait for their deliveries in progress.
 *
 * <h2>Threads and errors</h2> Each call blocks for at most {@code delayqueue.test.timeout} (by default 10 s of real
 * time, measured from the last delivery). After that, it throws an {@link AssertionError} that lists the unsettled
 * tasks. A call also fails if a task is delivered more than 1,000 times at the same moment, for example because its
 * handler makes it due again at once. A handler must not call methods that advance the clock or wait, because they
 * would wait for the handler itself. The kit is thread-safe. Calls that advance the clock run one at a time, and all
 * threads see the same time. Therefore, run tests that share a context one after another.
 */
public final class DelayQueueTestKit {

    private static final int PAGE = 500;

    private final KitTime time;
    private final ObservedDeliveries deliveries;
    private final QueueViews queues;
    private final Settling settling;
    private final Reset reset;
    private final Object moving = new Object();

    DelayQueueTestKit(KitTime time, ObservedDeliveries deliveries, QueueViews queues, Settling settling, Reset reset) {
        this.time = time;
        this.deliveries = deliveries;
        this.queues = queues;
        this.settling = settling;
        this.reset = reset;
    }

    /** Returns the current time of the queues, in whole milliseconds. */
    public Instant now() {
        return time.now();
    }

    /**
     * Returns a UTC clock that shows the time of the queues. {@code clock = true} of {@link DelayQueueTest} and {@link
     * AutoConfigureDelayQueueTest} make it the application's {@link Clock}.
     */
    public Clock clock() {
        return time.clock();
    }

    /**
     * Advances the clock and returns when all tasks that became due are settled.
     *
     * @param duration duration by which to advance; fractions of a millisecond are ignored. Zero waits for tasks that
     *     are due now
     * @throws IllegalArgumentException if it is negative
     * @throws AssertionError if a task is not settled in time; the clock then stands at its due time
     */
    public void advance(Duration duration) {
        synchronized (moving) {
            advanceTo(now().plus(duration));
        }
    }

    /**
     * Advances the clock to a moment and returns when all tasks that are due at or before that moment are settled.
     *
     * @param moment the new time; fractions of a millisecond are ignored
     * @throws IllegalArgumentException if it is before now
     * @throws AssertionError if a task is not settled in time; the clock then stands at its due time
     */
    public void advanceTo(Instant moment) {
        synchronized (moving) {
            Instant target = moment.truncatedTo(ChronoUnit.MILLIS);
            if (target.isBefore(now())) {
                throw new IllegalArgumentException(
                        "The clock only moves forward: it is " + now() + ", and " + moment + " is before that");
            }
            Optional<Instant> next = settling.await();
            while (next.isPresent() && !next.get().isAfter(target)) {
                time.moveTo(next.get());
                next = settling.await();
            }
            time.moveTo(target);
        }
    }

    /**
     * Delivers all tasks that are waiting in a queue, by advancing the clock to the latest of their due times, and
     * further while tasks are held back by limits of their keys. Tasks that fail or are scheduled during the call remain
     * if they are due later.
     *
     * @throws AssertionError if a task is not settled in time, or if the queue is paused or not scanned by a started
     *     trigger of this context, or if the key of a task is closed without an end
     * @throws io.delayqueue.UnknownQueueException if no such queue is configured
     */
    public void drain(String queue) {
        queues.require(queue);
        synchronized (moving) {
            requireDeliveries(queue);
            advanceTo(now());
            Instant last = queues.live(queue, PAGE).stream()
                    .map(ListedTask::nextAttentionAt)
                    .filter(due -> due.isAfter(now()))
                    .max(Comparator.naturalOrder())
                    .orElseGet(this::now);
            advanceTo(last);
            while (queues.live(queue, PAGE).stream()
                    .anyMatch(task -> !task.nextAttentionAt().isAfter(last))) {
                requireDeliveries(queue); // A handler may have paused the queue.
                advanceTo(queues.stats(queue)
                        .nextAttention()
                        .filter(turn -> turn.isAfter(now()) && turn.toEpochMilli() < Due.MAX_EPOCH_MILLIS)
                        .orElseThrow(() -> new AssertionError("Queue '" + queue
                                + "' cannot be drained: the key of a task is closed without an end")));
            }
        }
    }

    private void requireDeliveries(String queue) {
        settling.notWaitedFor(queue).ifPresent(reason -> {
            throw new AssertionError("Queue '" + queue + "' cannot be drained: " + reason);
        });
    }

    /**
     * Waits until a task has been delivered and settled, without advancing the clock. Each delivery since the last
     * reset satisfies one call, even if it ended before the call or during {@link #advance}. After {@code n} calls for
     * a task, the next call waits for delivery {@code n + 1}. Failed attempts do not count.
     *
     * @throws AssertionError if it is not delivered in time; the message describes the task
     */
    public void awaitDelivered(String queue, String id) {
        queues.require(queue);
        settling.await(
                () -> deliveries.takeDelivered(queue, id),
                () -> "Task '" + id + "' of queue '" + queue + "' was not delivered. " + queues.standing(queue, id));
        settling.await(
                () -> !queues.isLeased(queue, id),
                () -> "Task '" + id + "' of queue '" + queue + "' was delivered but not settled. "
                        + queues.standing(queue, id));
    }

    /**
     * Makes the next deliveries of a task fail, as if its handler had thrown a {@link ProvokedFailure}. The failures
     * are counted and the task is retried according to the queue's settings, and interceptors are notified. The
     * handler, the broker and the {@link io.delayqueue.handler.DeliveryErrorHandler} are not called. Repeated calls add
     * up.
     *
     * @param id the task's id; schedule the task afterwards if it is due at once
     * @param times number of deliveries, at least 1
     */
    public void failNext(String queue, String id, int times) {
        queues.require(queue);
        if (times < 1) {
            throw new IllegalArgumentException("At least one delivery must fail, but times was " + times + " .");
        }
        deliveries.failNext(queue, id, times);
    }

    /**
     * Returns all dead tasks of a queue with their contents, oldest death first within each shard.
     *
     * @throws io.delayqueue.UnknownQueueException if no such queue is configured
     */
    public List<ListedTask> deadTasks(String queue) {
        settling.awaitArrivals();
        return queues.dead(queue, PAGE);
    }

    /**
     * Returns a view of a queue, also for AssertJ's {@code assertThat}.
     *
     * @throws io.delayqueue.UnknownQueueException if no such queue is configured
     */
    public TestQueue queue(String name) {
        queues.require(name);
        return new TestQueue(name, queues, settling);
    }

    /**
     * Deletes all tasks of all queues, live and dead, with their histories, the due times reserved by redrives, and
     * limits that were set at run time. Ends pauses, opens closed keys, and clears provoked failures and recorded
     * deliveries. Does not change the clock and the number of shards of a resharded queue.
     *
     * <p>Waits for deliveries in progress, and also deletes the tasks that they schedule or commit. No delivery of an
     * earlier task starts after this call. Called after each test, when its transaction has ended, unless the test's
     * annotation sets {@code reset = false}.
     *
     * @throws AssertionError if deliveries do not end within the time-out, committed changes do not reach Redis, or
     *     Redis does not answer. All recorded state is still cleared, and the queues are emptied if possible
     * @throws DelayQueueException if Redis stops answering during the call
     */
    public void reset() {
        synchronized (moving) {
            reset.run();
        }
    }
}
