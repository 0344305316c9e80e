// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.endpoint;

import io.delayqueue.HistoryEntry;
import io.delayqueue.admin.DueCounts;
import io.delayqueue.control.DeadReasons;
import io.delayqueue.control.OperationView;
import io.delayqueue.control.QueueRates;
import io.delayqueue.control.QueueResults;
import io.delayqueue.control.QueueView;
import io.delayqueue.control.ShardOwner;
import io.delayqueue.control.TaskDetails;
import io.delayqueue.control.TaskView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/** What the endpoint answers. Each is an object in JSON, and what has no value is left out. */
public sealed interface DelayQueueAnswer extends OperationResponseBody {

    /**
     * All queues that the caller may read.
     *
     * @param unreadable queues whose data in Redis could not be read, with the error; {@code null} for none
     */
    record Queues(List<QueueView> queues, @Nullable Map<String, String> unreadable) implements DelayQueueAnswer {

        static Queues of(QueueResults<QueueView> results) {
            return new Queues(results.found(), orNull(results.unreadable()));
        }
    }

    /** One queue. */
    record Queue(QueueView queue) implements DelayQueueAnswer {}

    /**
     * The tasks of an id in all queues.
     *
     * @param unreadable queues whose data in Redis could not be read, with the error; {@code null} for none
     */
    record Found(List<TaskDetails> tasks, @Nullable Map<String, String> unreadable) implements DelayQueueAnswer {

        static Found of(QueueResults<TaskDetails> results) {
            return new Found(results.found(), orNull(results.unreadable()));
        }
    }

    private static @Nullable Map<String, String> orNull(Map<String, String> unreadable) {
        return unreadable.isEmpty() ? null : unreadable;
    }

    /**
     * A page of tasks.
     *
     * @param next where the next page begins; null at the end
     */
    record Tasks(List<TaskView> tasks, @Nullable String next) implements DelayQueueAnswer {}

    /** One task. */
    record Task(TaskDetails task) implements DelayQueueAnswer {}

    /** What became of a task, the newest entry last. */
    record History(List<HistoryEntry> history) implements DelayQueueAnswer {}

    /** How many tasks are due when. */
    record Histogram(DueCounts dueCounts) implements DelayQueueAnswer {}

    /**
     * What all processes did with a queue lately.
     *
     * @param minutes those in which anything was counted, the earliest first
     * @param total of all of them; its minute is null
     */
    record Rates(String queue, List<Rate> minutes, Rate total) implements DelayQueueAnswer {

        static Rates of(QueueRates rates) {
            List<QueueRates.Minute> minutes = rates.minutes();
            return new Rates(
                    rates.queue(),
                    minutes.stream().map(Rate::of).toList(),
                    new Rate(
                            null,
                            minutes.stream()
                                    .mapToLong(QueueRates.Minute::delivered)
                                    .sum(),
                            minutes.stream()
                                    .mapToLong(QueueRates.Minute::failed)
                                    .sum(),
                            minutes.stream().mapToLong(QueueRates.Minute::dead).sum(),
                            rates.lateness().quantile(0.5),
                            rates.lateness().quantile(0.99)));
        }
    }

    /**
     * What was done in a minute.
     *
     * @param minute when it began
     * @param delivered deliveries that ended well
     * @param failed deliveries that failed, and whose task is due again
     * @param dead deliveries after which the task was given up
     * @param latenessP50 how late half of the first deliveries were at most; null where there were none
     * @param latenessP99 how late 99 of 100 were at most
     */
    record Rate(
            @Nullable Instant minute,
            long delivered,
            long failed,
            long dead,
            @Nullable Duration latenessP50,
            @Nullable Duration latenessP99) {

        static Rate of(QueueRates.Minute minute) {
            return new Rate(
                    minute.minute(),
                    minute.delivered(),
                    minute.failed(),
                    minute.dead(),
                    minute.lateness().quantile(0.5),
                    minute.lateness().quantile(0.99));
        }
    }

    /** Which process has which shard. */
    record Owners(String queue, List<ShardOwner> owners) implements DelayQueueAnswer {}

    /** Why tasks are dead. */
    record Reasons(DeadReasons deadReasons) implements DelayQueueAnswer {}

    /** The operations of all processes. */
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
