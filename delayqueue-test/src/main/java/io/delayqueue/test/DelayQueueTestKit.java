// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test;

import io.delayqueue.DelayQueueException;
import io.delayqueue.admin.DeadTask;
import io.delayqueue.admin.LiveTask;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Moves the time of an application's queues in a test, and looks at what is in them. The queues are real ones, on a real
 * Redis, with the application's own triggers and threads.
 *
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
 * <h2>Time</h2>
 *
 * Time stands still, also for the scripts in Redis, but for {@link #advance}, {@link #advanceTo} and {@link #drain}. It
 * begins with the moment at which the context was made, and is counted in whole milliseconds. So a task that is due in a
 * quarter of an hour is not delivered when a millisecond less has passed, and is when that has. What is due at once is
 * delivered without any of these calls, as ever. As time stands still, no lease runs out while a handler works.
 *
 * <p>Time is moved from due time to due time: each task is delivered at the very moment at which it is due, tasks of all
 * queues in the order of their due times, and time goes on only when nothing that is due is left. So what fails meanwhile is
 * tried again at its time, what a handler schedules is delivered if it is due before the end, and a task that is repeated
 * each minute is delivered sixty times in an hour. Tasks of one millisecond come in any order, as in production, unless
 * their queue asks for one. Changes that were committed to an outbox are brought to Redis first.
 *
 * <p>Queues that are paused, or that no started trigger of this context scans, are not waited for: their tasks are due and
 * stay. Deliveries of theirs that are under way are waited for.
 *
 * <h2>Threads and errors</h2>
 *
 * Calls block, at most for the time-out each ({@code delayqueue.test.timeout}, 10 s of real time by default, counted from the
 * last delivery), and then throw an {@link AssertionError} that says what is not settled. They do so too when one task was
 * delivered more than 1,000 times at one moment, as when its handler has it due again at once. A handler must not call what moves
 * time or waits: it would wait for itself. Many threads may use a kit, but those that move time do so one after the other,
 * and they all see the same time: tests that share a context are to run one after the other.
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

    /** What the clock of the queues says, in whole milliseconds. */
    public Instant now() {
        return time.now();
    }

    /**
     * The time of the queues as a clock in UTC, which moves with it. {@code clock = true} of {@link DelayQueueTest} and {@link
     * AutoConfigureDelayQueueTest} makes it the application's {@link Clock}.
     */
    public Clock clock() {
        return time.clock();
    }

    /**
     * Lets time pass, and returns when all that became due is settled.
     *
     * @param duration fractions of a millisecond do not count; none passes with zero, and what is due now is waited for
     * @throws IllegalArgumentException if it is negative
     * @throws AssertionError if something is not settled in time; the clock then says when that was due
     */
    public void advance(Duration duration) {
        synchronized (moving) {
            advanceTo(now().plus(duration));
        }
    }

    /**
     * Lets time pass until a moment, and returns when all that became due is settled, what is due at that moment included.
     *
     * @param moment fractions of a millisecond do not count
     * @throws IllegalArgumentException if it is before now
     * @throws AssertionError if something is not settled in time; the clock then says when that was due
     */
    public void advanceTo(Instant moment) {
        synchronized (moving) {
            Instant target = moment.truncatedTo(ChronoUnit.MILLIS);
            if (target.isBefore(now())) {
                throw new IllegalArgumentException(
                        "Time moves forward only: it is " + now() + ", and " + moment + " is before that");
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
     * Delivers what waits in a queue now, by letting time pass until the last of its tasks is due. What failed or was
     * scheduled meanwhile, and is due later than that, stays.
     *
     * @throws AssertionError if something is not settled in time, or if the queue's tasks are not delivered at all, as it is
     *     paused or no started trigger of this context scans it
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
                    .map(LiveTask::nextAttentionAt)
                    .max(Comparator.naturalOrder())
                    .filter(last -> last.isAfter(now()))
                    .ifPresent(this::advanceTo);
        }
    }

    /**
     * Waits until a task has been delivered and that is settled. Time does not move. Each delivery since the last reset
     * satisfies one call, also one that was before the call or that {@link #advance} has waited for: the call after {@code n}
     * others of the same task waits for its delivery {@code n + 1}. Attempts that failed do not count.
     *
     * @throws AssertionError if it is not delivered in time; says how the task stands
     */
    public void awaitDelivered(String queue, String id) {
        queues.require(queue);
        settling.await(
                () -> deliveries.takeDelivered(queue, id),
                () -> "Task '" + id + "' of queue '" + queue + "' was not delivered. " + queues.standing(queue, id));
        settling.await(
                () -> !queues.isLeased(queue, id),
                () -> "Task '" + id + "' of queue '" + queue + "' was delivered, but that is not settled. "
                        + queues.standing(queue, id));
    }

    /**
     * Has the next deliveries of a task fail, as if its handler threw a {@link ProvokedFailure}: it is counted, tried again
     * or given up as the queue's settings say, and interceptors hear of it. The handler, or the broker, is not called, and
     * neither is a {@link io.delayqueue.handler.DeliveryErrorHandler}. More than once adds up.
     *
     * @param id of a task that may be scheduled later
     * @param times 1 or more
     */
    public void failNext(String queue, String id, int times) {
        queues.require(queue);
        if (times < 1) {
            throw new IllegalArgumentException("At least one delivery is to fail, but " + times + " were asked for");
        }
        deliveries.failNext(queue, id, times);
    }

    /**
     * All dead tasks of a queue with what they carry, the longest dead of each shard first.
     *
     * @throws io.delayqueue.UnknownQueueException if no such queue is configured
     */
    public List<DeadTask> deadTasks(String queue) {
        settling.awaitArrivals();
        return queues.dead(queue, PAGE);
    }

    /**
     * A queue to be looked at, and for AssertJ's {@code assertThat}.
     *
     * @throws io.delayqueue.UnknownQueueException if no such queue is configured
     */
    public TestQueue queue(String name) {
        queues.require(name);
        return new TestQueue(name, queues, settling);
    }

    /**
     * Deletes all tasks of all queues, live and dead, their histories, and the pace of redrives, ends pauses, and
     * forgets what was to fail and what was delivered. Time stays as it is, and so does the number of shards where the
     * queue was resharded.
     *
     * <p>No delivery begins any more when this is called, also of tasks that were taken and wait for a thread. Those
     * that have begun are waited for, and what they schedule or commit is deleted too, as is what was committed before.
     * Called after each test, after its transaction has ended, unless {@code reset = false} of the test's annotation
     * says otherwise.
     *
     * @throws AssertionError if deliveries have not ended, and none has for the time-out, or if what was committed has not
     *     reached Redis, or Redis does not answer, within the time-out; what is in the queues is deleted nevertheless, where
     *     Redis answers, and all is forgotten
     * @throws DelayQueueException if Redis stops answering meanwhile
     */
    public void reset() {
        synchronized (moving) {
            reset.run();
        }
    }
}
