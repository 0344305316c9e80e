// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test;

import io.delayqueue.EncodedPayload;
import io.delayqueue.FoundTask;
import io.delayqueue.TaskState;
import io.delayqueue.admin.QueueStats;
import java.util.Optional;
import org.assertj.core.api.AbstractAssert;

/**
 * Assertions about the current contents of a queue. Each assertion reads Redis again, like {@link TestQueue}. A failure
 * describes the actual contents, without payloads.
 */
public final class TestQueueAssert extends AbstractAssert<TestQueueAssert, TestQueue> {

    TestQueueAssert(TestQueue actual) {
        super(actual, TestQueueAssert.class);
    }

    /** Verifies that a task with this id is waiting or in progress, and returns assertions about it. */
    public TestTaskAssert hasTask(String id) {
        isNotNull();
        Optional<FoundTask<EncodedPayload>> found = find(id);
        if (found.isEmpty() || found.get().state() == TaskState.DEAD) {
            failWithMessage("Expected %s to have a task '%s', %s", actual, id, actual.contents());
        }
        return new TestTaskAssert(actual, found.orElseThrow());
    }

    /** Verifies that no task with this id is waiting or in progress. A dead task may exist. */
    public TestQueueAssert hasNoTask(String id) {
        isNotNull();
        if (find(id).filter(task -> task.state() != TaskState.DEAD).isPresent()) {
            failWithMessage("Expected %s to have no task '%s', %s", actual, id, actual.contents());
        }
        return this;
    }

    /** Verifies the number of tasks that are waiting or in progress. */
    public TestQueueAssert hasTaskCount(long expected) {
        isNotNull();
        QueueStats stats = actual.stats();
        long live = stats.delayed() + stats.heldBack() + stats.ready() + stats.leased();
        if (live != expected) {
            failWithMessage("Expected %s to have %s task(s) and not %s, %s", actual, expected, live, actual.contents());
        }
        return this;
    }

    /** Verifies that no task is waiting or in progress. Dead tasks may exist. */
    public TestQueueAssert hasNoTasks() {
        return hasTaskCount(0);
    }

    /** Verifies that a dead task with this id exists, and returns assertions about it. */
    public TestTaskAssert hasDeadTask(String id) {
        isNotNull();
        Optional<FoundTask<EncodedPayload>> found = find(id);
        if (found.isEmpty() || found.get().state() != TaskState.DEAD) {
            failWithMessage("Expected %s to have a dead task '%s', %s", actual, id, actual.contents());
        }
        return new TestTaskAssert(actual, found.orElseThrow());
    }

    /** Verifies the number of dead tasks. */
    public TestQueueAssert hasDeadTaskCount(long expected) {
        isNotNull();
        long dead = actual.stats().dead();
        if (dead != expected) {
            failWithMessage(
                    "Expected %s to have %s dead task(s) and not %s, %s", actual, expected, dead, actual.contents());
        }
        return this;
    }

    /** Verifies that at least one dead task exists. */
    public TestQueueAssert hasDeadTasks() {
        isNotNull();
        if (actual.stats().dead() == 0) {
            failWithMessage("Expected %s to have dead tasks, %s", actual, actual.contents());
        }
        return this;
    }

    /** Verifies that no dead tasks exist. */
    public TestQueueAssert hasNoDeadTasks() {
        return hasDeadTaskCount(0);
    }

    private Optional<FoundTask<EncodedPayload>> find(String id) {
        return actual.find(id, EncodedPayload.class);
    }
}
