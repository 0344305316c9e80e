// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import io.delayqueue.control.BulkAction;
import io.delayqueue.control.BulkRequest;
import io.delayqueue.control.Caller;
import io.delayqueue.control.OperationView;
import io.delayqueue.control.QueueControl;
import io.delayqueue.control.TaskFilter;
import io.delayqueue.internal.console.html.Address;
import io.delayqueue.internal.console.request.ConsoleRequest;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What is changed by a form, and which page tells of it afterwards. */
public final class Changes {

    private final QueueControl control;
    private final InstantSource clock;

    public Changes(QueueControl control, InstantSource clock) {
        this.control = control;
        this.clock = clock;
    }

    /** @param segments of the path; empty where nothing is changed by it */
    public Optional<Address> make(ConsoleRequest request, List<String> segments) {
        String kind = segments.isEmpty() ? "" : segments.get(0);
        if (kind.equals("operations") && segments.size() == 3) {
            return steer(request, segments.get(1), segments.get(2));
        }
        if (!kind.equals("queues") || segments.size() < 3) {
            return Optional.empty();
        }
        String queue = segments.get(1);
        return switch (segments.size()) {
            case 3 -> changeQueue(request, queue, segments.get(2));
            case 4 -> segments.get(2).equals("task") ? changeTask(request, queue, segments.get(3)) : Optional.empty();
            default -> Optional.empty();
        };
    }

    private Optional<Address> changeQueue(ConsoleRequest request, String queue, String action) {
        Caller caller = request.caller();
        Address home = new Links(request.base()).queue(queue);
        Inputs inputs = inputs(request);
        switch (action) {
            case "pause" -> control.pause(caller, queue);
            case "resume" -> control.resume(caller, queue);
            case "resize" -> control.resize(caller, queue, shards(inputs));
            case "purge" -> {
                long left = control.purge(caller, queue, inputs.required("confirm", "Name of the queue"))
                        .left();
                return Optional.of(home.with("done", left == 0 ? "purge" : "purge-left"));
            }
            case "bulk" -> {
                return Optional.of(startCount(request, queue, inputs));
            }
            default -> {
                return Optional.empty();
            }
        }
        return Optional.of(home.with("done", action));
    }

    private static int shards(Inputs inputs) {
        inputs.required("shards", "Shards");
        return inputs.number("shards", "Shards", 0);
    }

    private Optional<Address> changeTask(ConsoleRequest request, String queue, String action) {
        Caller caller = request.caller();
        Inputs inputs = inputs(request);
        String id = inputs.required("id", "Task id");
        String outcome = switch (action) {
            case "cancel" -> control.cancel(caller, queue, id).name();
            case "reschedule" ->
                control.reschedule(caller, queue, id, dueTime(inputs)).name();
            case "deliver" -> control.deliverNow(caller, queue, id).name();
            case "redrive" -> control.redrive(caller, queue, id) ? "DONE" : "NOT_FOUND";
            case "discard" -> control.discard(caller, queue, id) ? "DONE" : "NOT_FOUND";
            default -> "";
        };
        return outcome.isEmpty()
                ? Optional.empty()
                : Optional.of(new Links(request.base())
                        .task(queue, id)
                        .with("done", action + "-" + outcome.toLowerCase(Locale.ROOT)));
    }

    private static Instant dueTime(Inputs inputs) {
        Instant to = inputs.moment("to", "New due time");
        if (to == null) {
            throw new IllegalArgumentException("Fill in the field 'New due time'");
        }
        return to;
    }

    /** Counts, and changes nothing. */
    private Address startCount(ConsoleRequest request, String queue, Inputs inputs) {
        BulkAction action = inputs.action();
        TaskFilter filter = inputs.filter();
        if (filter.asText().isEmpty() && request.parameter("all") == null) {
            throw new IllegalArgumentException(
                    "Say which tasks, by one of the fields, or tick 'All tasks of the queue' if you mean all of them");
        }
        int perSecond = inputs.number("perSecond", "Tasks a second", BulkPage.PER_SECOND);
        @Nullable Instant to = action == BulkAction.RESCHEDULE ? dueTime(inputs) : null;
        OperationView begun =
                control.bulk().start(request.caller(), new BulkRequest(queue, action, filter, to, perSecond, true));
        return new Links(request.base()).operation(begun.handle());
    }

    private Optional<Address> steer(ConsoleRequest request, String handle, String verb) {
        if (verb.equals("run")) {
            return run(request, handle);
        }
        Optional<OperationView> steered = switch (verb) {
            case "stop" -> control.bulk().stop(request.caller(), handle);
            case "resume" -> control.bulk().resume(request.caller(), handle);
            default -> Optional.empty();
        };
        return steered.map(operation ->
                new Links(request.base()).operation(operation.handle()).with("done", "operation-" + verb));
    }

    /** What was counted, and shown, and nothing that the address says: anybody may have made that. */
    private Optional<Address> run(ConsoleRequest request, String handle) {
        long counted = control.bulk()
                .find(request.caller(), handle)
                .map(OperationView::matched)
                .orElse(0L);
        return control.bulk()
                .run(request.caller(), handle)
                .map(begun ->
                        new Links(request.base()).operation(begun.handle()).with("of", counted));
    }

    private Inputs inputs(ConsoleRequest request) {
        return new Inputs(request, Instant.ofEpochMilli(clock.millis()));
    }
}
