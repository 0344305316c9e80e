// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.ListedTask;
import io.delayqueue.TaskContent;
import io.delayqueue.TaskState;
import java.time.Instant;
import java.util.Optional;

/** A stored task as applications see it. */
public interface StoredTaskView extends ListedTask {

    StoredTask task();

    @Override
    default String id() {
        return task().id();
    }

    @Override
    default TaskState state() {
        return task().state();
    }

    @Override
    default Instant dueAt() {
        return task().dueAt();
    }

    @Override
    default Instant nextAttentionAt() {
        return task().nextAttentionAt();
    }

    @Override
    default int failures() {
        return task().failures();
    }

    @Override
    default int leaseExpiries() {
        return task().leaseExpiries();
    }

    @Override
    default Optional<String> lastReason() {
        return Optional.ofNullable(task().lastReason());
    }

    @Override
    default Optional<TaskContent> content() {
        return Optional.ofNullable(task().content());
    }

    /** Shows the task and its state, never its payload or headers. */
    default String asText() {
        return "Task[queue=" + queue() + ", id=" + id() + ", state=" + state() + ", dueAt=" + dueAt()
                + ", nextAttentionAt=" + nextAttentionAt() + ", failures=" + failures() + ", leaseExpiries="
                + leaseExpiries() + ", lastReason=" + lastReason().orElse("") + "]";
    }

    /** A task of a list. */
    record Listed(String queue, StoredTask task) implements StoredTaskView {

        @Override
        public String toString() {
            return asText();
        }
    }
}
