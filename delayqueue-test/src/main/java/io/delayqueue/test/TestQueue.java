// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test;

import io.delayqueue.FoundTask;
import io.delayqueue.admin.DeadTask;
import io.delayqueue.admin.LiveTask;
import io.delayqueue.admin.QueueStats;
import io.delayqueue.internal.transaction.UntilCommit;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.AssertProvider;
import org.springframework.util.ClassUtils;

/**
 * A queue in a test, for AssertJ:
 *
 * <pre>{@code
 * assertThat(kit.queue("orders")).hasTask("order-42").dueIn(Duration.ofMinutes(15)).withPayload(new Order("order-42"));
 * }</pre>
 *
 * <p>Each call reads Redis anew. Where there is an outbox it waits until what was committed has reached Redis, and throws an
 * {@link AssertionError} if that takes too long; nothing else is waited for, and time does not move. Safe for use by many
 * threads.
 */
public final class TestQueue implements AssertProvider<TestQueueAssert> {

    private static final int PAGE = 500;

    private static final boolean HAS_TRANSACTIONS = ClassUtils.isPresent(
            "org.springframework.transaction.support.TransactionSynchronizationManager",
            TestQueue.class.getClassLoader());

    private final String name;
    private final QueueViews queues;
    private final Settling settling;

    TestQueue(String name, QueueViews queues, Settling settling) {
        this.name = name;
        this.queues = queues;
        this.settling = settling;
    }

    /** The name of the queue. */
    public String name() {
        return name;
    }

    /** All tasks that wait or are under delivery, in the order in which they are due or tried again. */
    public List<LiveTask> tasks() {
        return arrived().live(name, PAGE);
    }

    /** All dead tasks, with what they carry. */
    public List<DeadTask> deadTasks() {
        return arrived().dead(name, PAGE);
    }

    /**
     * Looks at a task, live or dead.
     *
     * @throws io.delayqueue.PayloadConversionException if the payload cannot be read as that type
     */
    public <T> Optional<FoundTask<T>> find(String id, Class<T> payloadType) {
        return arrived().find(name, id, payloadType);
    }

    /** For AssertJ, which calls it in {@code assertThat(queue)}. */
    @Override
    public TestQueueAssert assertThat() {
        return new TestQueueAssert(this);
    }

    QueueStats stats() {
        return arrived().stats(name);
    }

    Instant now() {
        return queues.now();
    }

    private QueueViews arrived() {
        settling.awaitArrivals();
        return queues;
    }

    /** What is there, for a message. */
    String contents() {
        String tasks = queues.described(name, false);
        return (tasks.isEmpty() ? "but it is empty." : "but it has" + tasks)
                + System.lineSeparator()
                + "By the clock of the queues it is "
                + now()
                + "."
                + heldBack();
    }

    /** Tells of calls that wait for the transaction of the test, as where a test method is transactional. */
    private static String heldBack() {
        int calls = HAS_TRANSACTIONS ? UntilCommit.heldBack() : 0;
        return (calls == 0)
                ? ""
                : System.lineSeparator() + "This thread is in a transaction that holds back " + calls
                        + " call(s) until it commits, and a @Transactional test rolls back. Make them in a transaction"
                        + " that ends before the assertion, such as by a TransactionTemplate with REQUIRES_NEW.";
    }

    @Override
    public String toString() {
        return "queue '" + name + "'";
    }
}
