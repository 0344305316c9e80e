// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.endpoint;

import io.delayqueue.HistoryEntry;
import io.delayqueue.control.AuditEntry;
import io.delayqueue.control.OperationView;
import io.delayqueue.internal.control.DeadReasons;
import io.delayqueue.internal.control.DueCounts;
import io.delayqueue.internal.control.KeyView;
import io.delayqueue.internal.control.QueueRates;
import io.delayqueue.internal.control.QueueResults;
import io.delayqueue.internal.control.QueueView;
import io.delayqueue.internal.control.TaskDetails;
import io.delayqueue.internal.control.TaskView;
import io.delayqueue.internal.control.web.ApiCalls;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/** A response of the endpoint: a JSON object. Missing values are omitted. */
public sealed interface DelayQueueAnswer extends OperationResponseBody {

    /**
     * All queues that the caller may read.
     *
     * @param unreadable queues whose data in Redis could not be read, with the error; {@code null} for none
     * @param problems problems between processes, by queue; {@code null} for none
     */
    record Queues(
            List<QueueView> queues,
            @Nullable Map<String, String> unreadable,
            @Nullable Map<String, String> problems) implements DelayQueueAnswer {

        static Queues of(QueueResults<QueueView> results, Map<String, String> problems) {
            return new Queues(results.found(), orNull(results.unreadable()), orNull(problems));
        }
    }

    /** A queue. */
    record Queue(QueueView queue) implements DelayQueueAnswer {}

    /**
     * The tasks with an id in all queues.
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
     * @param total number of matching tasks; null on later pages, and if counting is not cheap
     * @param next start of the next page; null at the end
     */
    record Tasks(
            List<TaskView> tasks,
            @Nullable Long total,
            @Nullable String next) implements DelayQueueAnswer {}

    /** A task. */
    record Task(TaskDetails task) implements DelayQueueAnswer {}

    /** The history of a task, newest entry last. */
    record History(List<HistoryEntry> history) implements DelayQueueAnswer {}

    /** Number of tasks by due time. */
    record Histogram(DueCounts histogram) implements DelayQueueAnswer {}

    /**
     * Recent deliveries of all processes for a queue.
     *
     * @param step length of the periods, a minute or an hour
     * @param periods the periods with any counts, earliest first
     * @param total sums over these periods; its own start is null
     */
    record Deliveries(String queue, Duration step, List<Rate> periods, Rate total) {

        static Deliveries of(QueueRates rates) {
            return new Deliveries(
                    rates.queue(),
                    rates.step().getDuration(),
                    rates.periods().stream().map(Rate::of).toList(),
                    new Rate(
                            null,
                            rates.sum(QueueRates.Period::delivered),
                            rates.sum(QueueRates.Period::failed),
                            rates.sum(QueueRates.Period::dead),
                            rates.lateness().quantile(0.5),
                            rates.lateness().quantile(0.99)));
        }
    }

    /** Recent deliveries. */
    record Rates(Deliveries rates) implements DelayQueueAnswer {}

    /**
     * Deliveries in one period.
     *
     * @param from start of the period
     * @param delivered successful deliveries
     * @param failed failed deliveries that will be retried
     * @param dead deliveries that made the task dead
     * @param latenessP50 median lateness of first deliveries; null if there were none
     * @param latenessP99 99th percentile of the same lateness
     */
    record Rate(
            @Nullable Instant from,
            long delivered,
            long failed,
            long dead,
            @Nullable Duration latenessP50,
            @Nullable Duration latenessP99) {

        static Rate of(QueueRates.Period period) {
            return new Rate(
                    period.from(),
                    period.delivered(),
                    period.failed(),
                    period.dead(),
                    period.lateness().quantile(0.5),
                    period.lateness().quantile(0.99));
        }
    }

    /** The run-time settings of a key, and its held-back tasks. */
    record Key(KeyView key) implements DelayQueueAnswer {}

    /** The keys with the most held-back tasks. */
    record Keys(List<KeyView> keys) implements DelayQueueAnswer {}

    /** The settings of a queue by property, each with the values of all processes that deliver it. */
    record Settings(Map<String, Set<String>> settings) implements DelayQueueAnswer {}

    /** Reasons why tasks are dead. */
    record Reasons(DeadReasons reasons) implements DelayQueueAnswer {}

    /** The operations of all processes. */
    record Operations(List<OperationView> operations) implements DelayQueueAnswer {}

    /**
     * A page of audit entries, newest first.
     *
     * @param next start of the next page; null at the end
     */
    record Audit(List<AuditEntry> audit, @Nullable String next) implements DelayQueueAnswer {}

    /** An operation on all tasks that match a filter. */
    record Operation(OperationView operation) implements DelayQueueAnswer {}

    /**
     * The result of a change to a queue or a task. {@code outcome} shows whether there was anything to change.
     *
     * @param id the task; null for a change to the queue
     * @param count number of changed tasks
     */
    record DoneChange(String action, String queue, @Nullable String id, String outcome, long count) {}

    /** A change to a queue or a task. */
    record Changed(DoneChange change) implements DelayQueueAnswer {

        boolean foundNothing() {
            return change.outcome().equals("NOT_FOUND");
        }
    }

    /** The calls of the endpoint. */
    record Help(List<ApiCalls.Call> help) implements DelayQueueAnswer {}

    /**
     * The reason for an error response.
     *
     * @param code stable name of the problem, for programs
     */
    record Refused(String error, String code) implements DelayQueueAnswer {}
}
