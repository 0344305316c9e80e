// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.endpoint;

import io.delayqueue.DelayQueueException;
import io.delayqueue.TaskState;
import io.delayqueue.control.Caller;
import io.delayqueue.control.TaskFilter;
import io.delayqueue.internal.autoconfigure.endpoint.DelayQueueAnswer.Changed;
import io.delayqueue.internal.autoconfigure.endpoint.DelayQueueAnswer.Refused;
import io.delayqueue.internal.control.AuditPage;
import io.delayqueue.internal.control.QueueControl;
import io.delayqueue.internal.control.TaskViews;
import io.delayqueue.internal.control.web.ApiCalls;
import io.delayqueue.internal.control.web.ControlChanges;
import io.delayqueue.internal.control.web.ControlChanges.Change;
import io.delayqueue.internal.control.web.ControlChanges.Done;
import io.delayqueue.internal.control.web.ControlChanges.Steered;
import io.delayqueue.internal.control.web.Parameters;
import io.delayqueue.internal.control.web.Problem;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.context.annotation.ImportRuntimeHints;

/**
 * The actuator endpoint {@code delayqueue}: shows and changes queues over HTTP. Task ids are parameters and not part of
 * the path, because they may contain slashes. Unknown parameters are rejected.
 *
 * <p>The endpoint is read-only unless {@code management.endpoint.delayqueue.access} is {@code unrestricted}. It is
 * available only if {@code management.endpoints.web.exposure.include} includes it.
 */
@WebEndpoint(id = "delayqueue", defaultAccess = Access.READ_ONLY)
@ImportRuntimeHints(AnswerHints.class)
public class DelayQueueEndpoint {

    static final EndpointId ID = EndpointId.of("delayqueue");

    private static final String[] QUEUES = {"queues"};
    private static final String NO_OPERATION = "No operation has this handle. Redis keeps the last hundred for a day";
    private static final int PAGE = 100;
    private static final int SLICES = 60;
    private static final int ACCEPTED = 202;
    private static final Duration MINUTES_KEPT = Duration.ofDays(1).plusMinutes(1);

    private final QueueControl control;
    private final ControlChanges changes;

    public DelayQueueEndpoint(QueueControl control) {
        this.control = control;
        this.changes = new ControlChanges(control);
    }

    @ReadOperation
    public WebEndpointResponse<DelayQueueAnswer> queues(EndpointCall call) {
        return read(call, QUEUES);
    }

    /**
     * Returns {@code queues}, {@code tasks} of an id, {@code operations}, {@code audit}, {@code help}, {@code operations/<handle>}, {@code
     * queues/<name>}, or {@code queues/<name>/} with {@code settings}, {@code task}, {@code tasks}, {@code history},
     * {@code histogram}, {@code rates}, {@code key}, {@code keys} or {@code reasons}.
     */
    @ReadOperation
    public WebEndpointResponse<DelayQueueAnswer> read(
            EndpointCall call, @Selector(match = Selector.Match.ALL_REMAINING) String... path) {
        return answer(WebEndpointResponse.STATUS_OK, () -> {
            Parameters parameters = call.parameters(now());
            return switch (path.length) {
                case 1 -> all(call.caller(), path[0], parameters);
                case 2 -> one(call.caller(), path[0], path[1], parameters);
                case 3 ->
                    path[0].equals(QUEUES[0]) ? part(call.caller(), path[1], path[2], parameters) : Optional.empty();
                default -> Optional.empty();
            };
        });
    }

    /**
     * Makes a change; see {@link ControlChanges#make}.
     */
    @WriteOperation
    public WebEndpointResponse<DelayQueueAnswer> change(
            EndpointCall call, @Selector(match = Selector.Match.ALL_REMAINING) String... path) {
        return answer(ACCEPTED, () -> {
            Optional<DelayQueueAnswer> answer = changes.make(call.caller(), List.of(path), call.parameters(now()))
                    .map(DelayQueueEndpoint::changed)
                    .or(() -> steers(path) ? Optional.of(notFound(NO_OPERATION)) : Optional.empty());
            answer.ifPresent(changed -> {
                if (changed instanceof DelayQueueAnswer.Operation started) {
                    call.located().accept(started.operation().handle());
                }
            });
            return answer;
        });
    }

    private Optional<DelayQueueAnswer> all(Caller caller, String kind, Parameters parameters) {
        return switch (kind) {
            case "help" -> {
                only(parameters, "/help");
                yield Optional.of(new DelayQueueAnswer.Help(ApiCalls.ALL));
            }
            case "queues" -> {
                only(parameters, "/queues");
                yield Optional.of(DelayQueueAnswer.Queues.of(control.queues(caller), control.problems(caller)));
            }
            case "tasks" -> {
                only(parameters, "/tasks");
                yield Optional.of(DelayQueueAnswer.Found.of(control.find(caller, parameters.required("id"))));
            }
            case "operations" -> {
                only(parameters, "/operations");
                yield Optional.of(new DelayQueueAnswer.Operations(control.bulk().all(caller)));
            }
            case "audit" -> {
                only(parameters, "/audit");
                AuditPage page = control.activity(
                        caller, parameters.text("queue"), parameters.number("size", PAGE), parameters.text("after"));
                yield Optional.of(new DelayQueueAnswer.Audit(page.entries(), page.next()));
            }
            default -> Optional.empty();
        };
    }

    private Optional<DelayQueueAnswer> one(Caller caller, String kind, String name, Parameters parameters) {
        return switch (kind) {
            case "queues" -> {
                only(parameters, "/queues/{queue}");
                yield Optional.of(new DelayQueueAnswer.Queue(control.queue(caller, name)));
            }
            case "operations" -> {
                only(parameters, "/operations/{handle}");
                yield Optional.of(control.bulk()
                        .await(caller, name, parameters.duration("wait", "0s"))
                        .<DelayQueueAnswer>map(DelayQueueAnswer.Operation::new)
                        .orElseGet(() -> notFound(NO_OPERATION)));
            }
            default -> Optional.empty();
        };
    }

    private Optional<DelayQueueAnswer> part(Caller caller, String queue, String part, Parameters parameters) {
        String path = "/queues/{queue}/" + part;
        if (ApiCalls.ALL.stream()
                .noneMatch(call -> call.method().equals("GET") && call.path().equals(path))) {
            return Optional.empty();
        }
        only(parameters, path);
        return switch (part) {
            case "task" ->
                Optional.of(control.task(caller, queue, parameters.required("id"))
                        .<DelayQueueAnswer>map(DelayQueueAnswer.Task::new)
                        .orElseGet(() -> notFound("The queue has no task with this id: it was delivered, cancelled or"
                                + " discarded, was never scheduled, or is still in an outbox")));
            case "tasks" -> Optional.of(tasks(caller, queue, parameters));
            case "history" ->
                Optional.of(new DelayQueueAnswer.History(control.history(caller, queue, parameters.required("id"))));
            case "histogram" -> Optional.of(histogram(caller, queue, parameters));
            case "rates" -> Optional.of(rates(caller, queue, parameters));
            case "key" -> Optional.of(new DelayQueueAnswer.Key(control.key(caller, queue, parameters.required("key"))));
            case "settings" -> Optional.of(new DelayQueueAnswer.Settings(control.settings(caller, queue)));
            case "keys" -> Optional.of(new DelayQueueAnswer.Keys(control.waitingKeys(caller, queue)));
            case "reasons" -> Optional.of(new DelayQueueAnswer.Reasons(control.deadReasons(caller, queue)));
            default -> Optional.empty();
        };
    }

    private DelayQueueAnswer tasks(Caller caller, String queue, Parameters parameters) {
        TaskState state = parameters.state();
        TaskFilter filter = parameters.filter();
        String after = parameters.text("after");
        TaskViews page = control.tasks(
                caller,
                queue,
                state,
                filter,
                parameters.oldestFirst(),
                parameters.number("size", PAGE),
                after,
                Duration.ZERO);
        Long total = after == null ? control.total(caller, queue, state, filter) : null;
        return new DelayQueueAnswer.Tasks(page.tasks(), total, page.next());
    }

    private DelayQueueAnswer histogram(Caller caller, String queue, Parameters parameters) {
        Instant from = parameters.moment("from");
        return new DelayQueueAnswer.Histogram(control.dueCounts(
                caller,
                queue,
                from == null ? now() : from,
                parameters.duration("width", "1m"),
                parameters.number("slices", SLICES)));
    }

    /** Returns the rates of a period, per hour if it starts before the minutes that are kept. */
    private DelayQueueAnswer rates(Caller caller, String queue, Parameters parameters) {
        Instant from = parameters.moment("from", "-1h");
        Instant until = parameters.moment("until", "1m");
        ChronoUnit step = from.isBefore(now().minus(MINUTES_KEPT)) ? ChronoUnit.HOURS : ChronoUnit.MINUTES;
        return new DelayQueueAnswer.Rates(
                DelayQueueAnswer.Deliveries.of(control.rates(caller, queue, step, from, until)));
    }

    private static void only(Parameters parameters, String path) {
        parameters.requireOnly(ApiCalls.names("GET", path, true), path.substring(path.lastIndexOf('/') + 1));
    }

    private static DelayQueueAnswer changed(Change change) {
        if (change instanceof Steered steered) {
            return new DelayQueueAnswer.Operation(steered.operation());
        }
        Done done = (Done) change;
        return new Changed(
                new DelayQueueAnswer.DoneChange(done.action(), done.queue(), done.id(), done.outcome(), done.count()));
    }

    /** Returns the current time in whole milliseconds, like all times of tasks. */
    private static Instant now() {
        return Instant.ofEpochMilli(System.currentTimeMillis());
    }

    /** @param ofOperation the status of an answer with an operation */
    private static WebEndpointResponse<DelayQueueAnswer> answer(
            int ofOperation, Supplier<Optional<DelayQueueAnswer>> call) {
        try {
            return call.get()
                    .map(answer -> new WebEndpointResponse<>(answer, status(answer, ofOperation)))
                    .orElseGet(() -> new WebEndpointResponse<>(
                            notFound("This path does not exist. See help"), WebEndpointResponse.STATUS_NOT_FOUND));
        } catch (IllegalArgumentException | DelayQueueException ex) {
            Problem problem = Problem.of(ex);
            return new WebEndpointResponse<>(new Refused(problem.message(), problem.code()), problem.status());
        }
    }

    private static boolean steers(String... path) {
        return path.length == 3
                && path[0].equals("operations")
                && ApiCalls.ALL.stream().anyMatch(call -> call.path().equals("/operations/{handle}/" + path[2]));
    }

    private static Refused notFound(String error) {
        return new Refused(error, "not-found");
    }

    private static int status(DelayQueueAnswer answer, int ofOperation) {
        if (answer instanceof Refused || answer instanceof Changed changed && changed.foundNothing()) {
            return WebEndpointResponse.STATUS_NOT_FOUND;
        }
        return answer instanceof DelayQueueAnswer.Operation ? ofOperation : WebEndpointResponse.STATUS_OK;
    }
}
