// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.endpoint;

import io.delayqueue.admin.DueCounts;
import io.delayqueue.control.OperationView;
import io.delayqueue.control.QueueView;
import io.delayqueue.control.TaskDetails;
import io.delayqueue.control.TaskView;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/** What the endpoint answers. Each is an object in JSON, and what has no value is left out. */
public sealed interface DelayQueueAnswer extends OperationResponseBody {

    /** All queues that the caller may read. */
    record Queues(List<QueueView> queues) implements DelayQueueAnswer {}

    /** One queue. */
    record Queue(QueueView queue) implements DelayQueueAnswer {}

    /** The tasks of an id in all queues. */
    record Found(List<TaskDetails> tasks) implements DelayQueueAnswer {}

    /**
     * A page of tasks.
     *
     * @param next where the next page begins; null at the end
     */
    record Tasks(List<TaskView> tasks, @Nullable String next) implements DelayQueueAnswer {}

    /** One task. */
    record Task(TaskDetails task) implements DelayQueueAnswer {}

    /** How many tasks are due when. */
    record Histogram(DueCounts dueCounts) implements DelayQueueAnswer {}

    /** The operations of this process. */
    record Operations(List<OperationView> operations) implements DelayQueueAnswer {}

    /** An operation on all tasks that a filter names. */
    record Operation(OperationView operation) implements DelayQueueAnswer {}

    /**
     * A change that was made, or found nothing to change.
     *
     * @param action what was asked for
     * @param queue in which queue
     * @param id to which task; null where it was to the queue
     * @param outcome what came of it
     * @param count how many tasks were changed
     */
    record Changed(String action, String queue, @Nullable String id, String outcome, long count)
            implements DelayQueueAnswer {

        boolean foundNothing() {
            return outcome.equals("NOT_FOUND");
        }
    }

    /** Why nothing is answered. */
    record Refused(String error) implements DelayQueueAnswer {}
}
