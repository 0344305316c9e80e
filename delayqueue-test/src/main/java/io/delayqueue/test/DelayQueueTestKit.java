// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test;

import io.delayqueue.DelayQueueException;
import io.delayqueue.ListedTask;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Advances the clock of an application's queues in a test and inspects their contents. The queues are real, on a real
 * Redis, with the application's own triggers and threads.
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
 * <h2>Time</h2> The clock stands still, in the Redis scripts too, except during {@link #advance}, {@link #advanceTo}
 * and {@link #drain}. It starts at the moment when the context was created and counts whole milliseconds. A task that
 * is due in 15 minutes is therefore delivered exactly when 15 minutes have passed, and not a millisecond earlier. Tasks
 * that are due at once are delivered without any of these calls. While the clock stands still, no lease expires.
 *
 * <p>The clock moves from due time to due time. Each task is delivered at exactly its due time, across all queues in
 * order, and the clock moves on only when nothing due is left. Failed tasks are retried on time. A task that a handler
 * schedules is delivered if it is due before the end, and a task that repeats every minute is delivered sixty times in
 * an hour. As in production, tasks that are due in the same millisecond have no order, unless their queue defines one.
 * Committed outbox changes are sent to Redis first.
 *
 * <p>The kit does not wait for queues that are paused or that no started trigger of this context scans: their tasks
 * stay due. The kit does wait for their deliveries in progress.
 *
 * <h2>Threads and errors</h2> Each call blocks for at most {@code delayqueue.test.timeout} (10 s of real time by
 * default, counted from the last delivery). It then throws an {@link AssertionError} that lists the unsettled tasks. It
 * also fails when one task was delivered more than 1,000 times at the same moment, for example because its handler
 * makes it due again at once. A handler must not call methods that advance the clock or wait, because they would wait
 * for that handler. The kit is thread-safe. Calls that advance the clock run one at a time, and all threads see the
 * same time, so run tests that share a context one after the other.
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
     * Returns the queues' time as a UTC clock that moves with it. {@code clock = true} of {@link DelayQueueTest} and
     * {@link AutoConfigureDelayQueueTest} makes it the application's {@link Clock}.
     */
    public Clock clock() {
        return time.clock();
    }

    /**
     * Advances the clock and returns when every task that became due is settled.
     *
     * @param duration how far to advance; fractions of a millisecond are ignored. Zero waits for tasks that are due
     *     now.
     * @throws IllegalArgumentException if it is negative
     * @throws AssertionError if a task is not settled in time; the clock then stands at its due time
     */
    public void advance(Duration duration) {
        synchronized (moving) {
            advanceTo(now().plus(duration));
        }
    }

    /**
     * Advances the clock to a moment and returns when every task due until then, inclusive, is settled.
     *
     * @param moment fractions of a millisecond are ignored
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
     * Delivers all tasks that wait in a queue now, by advancing the clock to the last due time among them. Tasks that
     * fail or are scheduled during the call stay if they are due later.
     *
     * @throws AssertionError if something is not settled in time, or if nothing delivers the queue's tasks, because it
     *     is paused or no started trigger of this context scans it
     * @throws io.delayqueue.UnknownQueueException if no such queue is configured
     */
    public void drain(String queue) {
        queues.require(queue);
        synchronized (moving) {
            settling.notWaitedFor(queue).ifPresent(reason -> {
                throw new AssertionError("Queue '" + queue + "' cannot be drained: " + reason);
            });
            advanceTo(now());
            queues.live(queue, PAGE).stream()
                    .map(ListedTask::nextAttentionAt)
                    .max(Comparator.naturalOrder())
                    .filter(last -> last.isAfter(now()))
                    .ifPresent(this::advanceTo);
        }
    }

    /**
     * Waits until a task has been delivered and settled. The clock does not move. Each delivery since the last reset
     * satisfies one call, even if it came before the call or during {@link #advance}. After {@code n} calls for a task,
     * the next call waits for delivery {@code n + 1}. Failed attempts do not count.
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
     * Makes the next deliveries of a task fail, as if its handler had thrown a {@link ProvokedFailure}. Each failure is
     * counted, retried or given up as the queue's settings define, and interceptors are notified. Neither the handler
     * or broker nor a {@link io.delayqueue.handler.DeliveryErrorHandler} is called. Repeated calls add up.
     *
     * @param id the task's id; the task may be scheduled later
     * @param times 1 or more
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
     * Deletes all tasks of all queues, live and dead, with their histories, the pace of redrives, and limits that were
     * set at run time. Ends pauses, opens closed keys, and clears provoked failures and recorded deliveries. The clock
     * and the number of shards of a resharded queue stay unchanged.
     *
     * <p>No delivery starts after this call, even for acquired tasks that wait for a thread. This waits for deliveries
     * in progress, and also deletes everything that they schedule or commit, and earlier commits. The test framework
     * calls this after each test, when its transaction has ended, unless the test's annotation sets {@code reset =
     * false}.
     *
     * @throws AssertionError if deliveries do not end and none has ended within the time-out, if committed changes do
     *     not reach Redis, or if Redis does not answer. All recorded state is still cleared, and the queues are emptied
     *     where Redis answers.
     * @throws DelayQueueException if Redis stops answering during the call
     */
    public void reset() {
        synchronized (moving) {
            reset.run();
        }
    }
}
