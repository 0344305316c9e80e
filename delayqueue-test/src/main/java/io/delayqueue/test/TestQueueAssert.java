// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test;

import io.delayqueue.EncodedPayload;
import io.delayqueue.FoundTask;
import io.delayqueue.TaskState;
import io.delayqueue.admin.QueueStats;
import java.util.Optional;
import org.assertj.core.api.AbstractAssert;

/**
 * Says what a queue should hold now. Each assertion reads Redis anew, as {@link TestQueue} does; one that fails says what is
 * there instead, but for payloads.
 */
public final class TestQueueAssert extends AbstractAssert<TestQueueAssert, TestQueue> {

    TestQueueAssert(TestQueue actual) {
        super(actual, TestQueueAssert.class);
    }

    /** There is a task of this id that waits or is under delivery. What follows is about that task. */
    public TestTaskAssert hasTask(String id) {
        isNotNull();
        Optional<FoundTask<EncodedPayload>> found = find(id);
        if (found.isEmpty() || found.get().state() == TaskState.DEAD) {
            failWithMessage("Expected %s to have a task '%s', %s", actual, id, actual.contents());
        }
        return new TestTaskAssert(actual, found.orElseThrow());
    }

    /** There is no task of this id that waits or is under delivery; there may be a dead one. */
    public TestQueueAssert hasNoTask(String id) {
        isNotNull();
        if (find(id).filter(task -> task.state() != TaskState.DEAD).isPresent()) {
            failWithMessage("Expected %s to have no task '%s', %s", actual, id, actual.contents());
        }
        return this;
    }

    /** So many tasks wait or are under delivery. */
    public TestQueueAssert hasTaskCount(long expected) {
        isNotNull();
        QueueStats stats = actual.stats();
        long live = stats.delayed() + stats.ready() + stats.leased();
        if (live != expected) {
            failWithMessage("Expected %s to have %s task(s) and not %s, %s", actual, expected, live, actual.contents());
        }
        return this;
    }

    /** No task waits or is under delivery; there may be dead ones. */
    public TestQueueAssert hasNoTasks() {
        return hasTaskCount(0);
    }

    /** There is a dead task of this id. What follows is about that task. */
    public TestTaskAssert hasDeadTask(String id) {
        isNotNull();
        Optional<FoundTask<EncodedPayload>> found = find(id);
        if (found.isEmpty() || found.get().state() != TaskState.DEAD) {
            failWithMessage("Expected %s to have a dead task '%s', %s", actual, id, actual.contents());
        }
        return new TestTaskAssert(actual, found.orElseThrow());
    }

    /** There are so many dead tasks. */
    public TestQueueAssert hasDeadTaskCount(long expected) {
        isNotNull();
        long dead = actual.stats().dead();
        if (dead != expected) {
            failWithMessage(
                    "Expected %s to have %s dead task(s) and not %s, %s", actual, expected, dead, actual.contents());
        }
        return this;
    }

    /** There is at least one dead task. */
    public TestQueueAssert hasDeadTasks() {
        isNotNull();
        if (actual.stats().dead() == 0) {
            failWithMessage("Expected %s to have dead tasks, %s", actual, actual.contents());
        }
        return this;
    }

    /** There are no dead tasks. */
    public TestQueueAssert hasNoDeadTasks() {
        return hasDeadTaskCount(0);
    }

    private Optional<FoundTask<EncodedPayload>> find(String id) {
        return actual.find(id, EncodedPayload.class);
    }
}
