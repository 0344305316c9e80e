// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test;

import io.delayqueue.FoundTask;
import io.delayqueue.ListedTask;
import io.delayqueue.admin.QueueStats;
import io.delayqueue.internal.transaction.UntilCommit;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.AssertProvider;
import org.springframework.util.ClassUtils;

/**
 * A queue under test, for AssertJ:
 * <pre>{@code
 * assertThat(kit.queue("orders")).hasTask("order-42").dueIn(Duration.ofMinutes(15)).withPayload(new Order("order-42"));
 * }</pre>
 *
 * <p>Each call reads Redis again. With an outbox, it first waits until committed changes have reached Redis, and throws
 * an {@link AssertionError} if that takes too long. Calls do not advance the clock. Thread-safe.
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

    /** Returns the name of the queue. */
    public String name() {
        return name;
    }

    /** Returns all tasks that are waiting or in progress, ordered by due time or next retry. */
    public List<ListedTask> tasks() {
        return arrived().live(name, PAGE);
    }

    /** Returns all dead tasks with their contents. */
    public List<ListedTask> deadTasks() {
        return arrived().dead(name, PAGE);
    }

    /**
     * Finds a task, live or dead.
     *
     * @throws io.delayqueue.PayloadConversionException if the payload cannot be read as that type
     */
    public <T> Optional<FoundTask<T>> find(String id, Class<T> payloadType) {
        return arrived().find(name, id, payloadType);
    }

    /** Called by AssertJ for {@code assertThat(queue)}. */
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

    /** Describes the contents for a message. */
    String contents() {
        String tasks = queues.described(name, false);
        return (tasks.isEmpty() ? "but it is empty." : "but it has" + tasks)
                + System.lineSeparator()
                + "The queues' clock is at "
                + now()
                + "."
                + heldBack();
    }

    /** Describes calls that are deferred until the commit of the test's transaction. */
    private static String heldBack() {
        int calls = HAS_TRANSACTIONS ? UntilCommit.heldBack() : 0;
        return (calls == 0)
                ? ""
                : System.lineSeparator() + "This thread's transaction holds back " + calls
                        + " call(s) until it commits, and a @Transactional test rolls back. Make these "
                        + "calls in a transaction that ends before the assertion, for example with a "
                        + "TransactionTemplate and REQUIRES_NEW.";
    }

    @Override
    public String toString() {
        return "queue '" + name + "'";
    }
}
