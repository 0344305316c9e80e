// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.load;

import io.delayqueue.CancelOutcome;
import io.delayqueue.DelayQueueOperations;
import io.delayqueue.Due;
import io.delayqueue.GroupPartlyChangedException;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.TaskNotReplicatedException;
import io.delayqueue.TaskStoreException;
import io.delayqueue.faults.history.Event;
import io.delayqueue.faults.history.Event.Answer;
import io.delayqueue.faults.history.Event.Verb;
import io.delayqueue.faults.history.HistoryWriter;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes calls, and records each before and after. Never fails: the answer contains the failure of a call. Thread-safe.
 */
final class Calls implements TaskCalls {

    /** The outcome for a task that the result of its group's cancel does not name. */
    private static final String GONE = "GONE";

    private static final Logger log = LoggerFactory.getLogger(Calls.class);

    private final DelayQueueOperations operations;
    private final HistoryWriter history;
    private final RedisClock clock;
    private final AtomicLong numbers = new AtomicLong();

    Calls(DelayQueueOperations operations, HistoryWriter history, RedisClock clock) {
        this.operations = operations;
        this.history = history;
        this.clock = clock;
    }

    @Override
    public Answer schedule(ScheduleRequest<?> request, String version) {
        Due due = request.due();
        Event.Invoked invoked = new Event.Invoked(
                numbers.incrementAndGet(),
                Verb.SCHEDULE,
                request.queue(),
                request.id(),
                version,
                request.conflictPolicy(),
                due.relative() ? (Long) due.millis() : null,
                due.relative() ? null : (Long) due.millis(),
                HexFormat.of().formatHex(request.requestId()),
                clock.earliestMicros());
        return made(
                invoked,
                () -> operations.schedule(request),
                result -> result.outcome().name(),
                result -> result.dueAt().toEpochMilli());
    }

    @Override
    public Answer cancel(String queue, String id) {
        return made(
                invoked(Verb.CANCEL, queue, id, null),
                () -> operations.cancel(queue, id),
                CancelOutcome::name,
                any -> null);
    }

    /** Cancels a task. The stage completes when the answer is recorded, on a thread of the library; it never fails. */
    CompletableFuture<Answer> cancelAsync(String queue, String id) {
        Event.Invoked invoked = invoked(Verb.CANCEL, queue, id, null);
        history.write(invoked);
        return operations.async().cancel(queue, id).toCompletableFuture().handle((outcome, error) -> {
            if (error == null) {
                return answered(invoked, Answer.OK, outcome.name(), null, null);
            }
            Throwable cause =
                    error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
            return answered(invoked, failed(cause), null, null, cause);
        });
    }

    /** Cancels a group. Records for each task whether it is in progress or no longer exists. */
    @Override
    public void cancelGroup(String queue, String group, List<String> ids) {
        List<Event.Invoked> all =
                ids.stream().map(id -> invoked(Verb.CANCEL, queue, id, null)).toList();
        all.forEach(history::write);
        try {
            Set<String> inFlight =
                    Set.copyOf(operations.group(queue, group).cancel().inFlight());
            for (Event.Invoked one : all) {
                answered(one, Answer.OK, inFlight.contains(one.id()) ? "IN_FLIGHT" : GONE, null, null);
            }
        } catch (RuntimeException ex) {
            Answer answer = failed(ex);
            all.forEach(one -> answered(one, answer, null, null, ex));
        }
    }

    @Override
    public Answer reschedule(String queue, String id, Duration delay) {
        return made(
                invoked(Verb.RESCHEDULE, queue, id, delay.toMillis()),
                () -> operations.reschedule(queue, id, Due.after(delay)),
                RescheduleOutcome::name,
                any -> null);
    }

    private Event.Invoked invoked(Verb verb, String queue, String id, @Nullable Long delayMillis) {
        return new Event.Invoked(
                numbers.incrementAndGet(),
                verb,
                queue,
                id,
                null,
                null,
                delayMillis,
                null,
                null,
                clock.earliestMicros());
    }

    private <T> Answer made(
            Event.Invoked invoked,
            Supplier<T> call,
            Function<T, String> outcome,
            Function<T, @Nullable Long> dueMillis) {
        history.write(invoked);
        try {
            T result = call.get();
            return answered(invoked, Answer.OK, outcome.apply(result), dueMillis.apply(result), null);
        } catch (RuntimeException ex) {
            return answered(invoked, failed(ex), null, null, ex);
        }
    }

    /** Returns what is known about a call that failed. */
    private static Answer failed(Throwable error) {
        if (error instanceof TaskStoreException store) {
            return store.mayHaveBeenApplied() ? Answer.UNKNOWN : Answer.FAIL;
        }
        if (!(error instanceof TaskNotReplicatedException || error instanceof GroupPartlyChangedException)) {
            log.error("A call failed as no call should", error);
        }
        return Answer.UNKNOWN;
    }

    private Answer answered(
            Event.Invoked invoked,
            Answer answer,
            @Nullable String outcome,
            @Nullable Long dueMillis,
            @Nullable Throwable error) {
        history.write(new Event.Answered(
                invoked.call(),
                answer,
                outcome,
                dueMillis,
                clock.latestMicros(),
                error != null ? error.toString() : null));
        return answer;
    }
}
