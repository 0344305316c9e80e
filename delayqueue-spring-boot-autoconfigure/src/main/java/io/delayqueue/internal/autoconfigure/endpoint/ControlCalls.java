// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.endpoint;

import io.delayqueue.CancelOutcome;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.admin.PurgeResult;
import io.delayqueue.control.BulkAction;
import io.delayqueue.control.BulkRequest;
import io.delayqueue.control.Caller;
import io.delayqueue.control.QueueControl;
import io.delayqueue.control.TaskFilter;
import io.delayqueue.control.TaskPage;
import io.delayqueue.internal.autoconfigure.endpoint.DelayQueueAnswer.Changed;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Calls of the service layer by parameters that are texts, for HTTP and JMX alike. */
final class ControlCalls {

    private static final int PAGE = 100;
    private static final int PER_SECOND = 500;
    private static final int SLICES = 60;

    private final QueueControl control;

    ControlCalls(QueueControl control) {
        this.control = control;
    }

    QueueControl control() {
        return control;
    }

    /** Parameters by which tasks are chosen; null where they are not said. */
    record Filter(
            @Nullable String idPrefix,
            @Nullable String group,
            @Nullable String from,
            @Nullable String until,
            @Nullable String reason,
            @Nullable String header) {

        TaskFilter read() {
            return Texts.filter(idPrefix, group, from, until, reason, header);
        }
    }

    DelayQueueAnswer.Tasks tasks(
            Caller caller,
            String queue,
            @Nullable String state,
            Filter filter,
            @Nullable String size,
            @Nullable String after) {
        TaskPage page = control.tasks(
                caller, queue, Texts.state(state), filter.read(), Texts.number("size", size, PAGE), after);
        return new DelayQueueAnswer.Tasks(page.tasks(), page.next());
    }

    Optional<DelayQueueAnswer.Task> task(Caller caller, String queue, @Nullable String id) {
        return control.task(caller, queue, Texts.required("id", id)).map(DelayQueueAnswer.Task::new);
    }

    DelayQueueAnswer.History history(Caller caller, String queue, @Nullable String id) {
        return new DelayQueueAnswer.History(control.history(caller, queue, Texts.required("id", id)));
    }

    DelayQueueAnswer.Histogram histogram(
            Caller caller, String queue, @Nullable String from, @Nullable String width, @Nullable String slices) {
        Instant begin = Texts.moment("from", from);
        return new DelayQueueAnswer.Histogram(control.dueCounts(
                caller,
                queue,
                begin == null ? Texts.now() : begin,
                Texts.duration("width", width == null ? "1m" : width),
                Texts.number("slices", slices, SLICES)));
    }

    /** Of the last hour unless said. */
    DelayQueueAnswer.Rates rates(Caller caller, String queue, @Nullable String from, @Nullable String until) {
        Instant begin = Texts.moment("from", from == null ? "-1h" : from);
        Instant end = Texts.moment("until", until == null ? "1m" : until);
        return DelayQueueAnswer.Rates.of(
                control.rates(caller, queue, Objects.requireNonNull(begin), Objects.requireNonNull(end)));
    }

    DelayQueueAnswer.Owners owners(Caller caller, String queue) {
        return new DelayQueueAnswer.Owners(queue, control.owners(caller, queue));
    }

    /** What is done to a single task. */
    Changed changeTask(Caller caller, String action, String queue, String id, @Nullable String to) {
        return switch (Texts.bulkAction(action)) {
            case CANCEL -> {
                CancelOutcome outcome = control.cancel(caller, queue, id);
                yield changed(action, queue, id, outcome.name());
            }
            case RESCHEDULE -> {
                RescheduleOutcome outcome =
                        control.reschedule(caller, queue, id, moment("to", Texts.required("to", to)));
                yield changed(action, queue, id, outcome.name());
            }
            case DELIVER ->
                changed(action, queue, id, control.deliverNow(caller, queue, id).name());
            case REDRIVE -> changed(action, queue, id, control.redrive(caller, queue, id) ? "REDRIVEN" : "NOT_FOUND");
            case DISCARD -> changed(action, queue, id, control.discard(caller, queue, id) ? "DISCARDED" : "NOT_FOUND");
        };
    }

    private static Instant moment(String name, String text) {
        Instant moment = Texts.moment(name, text);
        if (moment == null) {
            throw new IllegalArgumentException("The parameter '" + name + "' is missing");
        }
        return moment;
    }

    private static Changed changed(String action, String queue, String id, String outcome) {
        return new Changed(action, queue, id, outcome, outcome.equals("NOT_FOUND") ? 0 : 1);
    }

    /** What is done to a queue; null where the action is none of those. */
    @Nullable
    Changed changeQueue(Caller caller, String action, String queue, @Nullable String shards) {
        switch (action) {
            case "pause" -> control.pause(caller, queue);
            case "resume" -> control.resume(caller, queue);
            case "resize" -> control.resize(caller, queue, Texts.number("shards", Texts.required("shards", shards), 0));
            default -> {
                return null;
            }
        }
        return new Changed(action, queue, null, "DONE", 0);
    }

    /** Begins an operation, which counts unless it is told to change. All tasks of a queue have to be asked for as such. */
    DelayQueueAnswer.Operation start(
            Caller caller,
            String action,
            String queue,
            Filter filter,
            @Nullable String to,
            @Nullable String perSecond,
            @Nullable String dryRun,
            @Nullable String all) {
        BulkAction bulkAction = Texts.bulkAction(action);
        TaskFilter chosen = filter.read();
        if (chosen.asText().isEmpty() && !Texts.flag("all", all, false)) {
            throw new IllegalArgumentException(
                    "Give the 'id' of a task, or say which by 'idPrefix', 'group', 'from', 'until', 'reason' or 'header', or"
                            + " 'all' as true for all tasks of the queue");
        }
        return new DelayQueueAnswer.Operation(control.bulk()
                .start(
                        caller,
                        new BulkRequest(
                                queue,
                                bulkAction,
                                chosen,
                                Texts.moment("to", to),
                                pace(bulkAction, perSecond),
                                Texts.flag("dryRun", dryRun, true))));
    }

    private static @Nullable Integer pace(BulkAction action, @Nullable String perSecond) {
        return perSecond == null && !action.isPaced() ? null : Texts.number("perSecond", perSecond, PER_SECOND);
    }

    Optional<DelayQueueAnswer.Operation> operation(Caller caller, String handle) {
        return control.bulk().find(caller, handle).map(DelayQueueAnswer.Operation::new);
    }

    Optional<DelayQueueAnswer.Operation> steer(Caller caller, String handle, String verb) {
        return switch (verb) {
            case "stop" -> control.bulk().stop(caller, handle).map(DelayQueueAnswer.Operation::new);
            case "resume" -> control.bulk().resume(caller, handle).map(DelayQueueAnswer.Operation::new);
            default -> Optional.empty();
        };
    }

    Changed purge(Caller caller, String queue, @Nullable String confirm) {
        PurgeResult purged = control.purge(caller, queue, confirm == null ? "" : confirm);
        return new Changed(
                "purge",
                queue,
                null,
                purged.left() == 0 ? "DONE" : "LEFT " + purged.left(),
                purged.live() + purged.dead());
    }
}
