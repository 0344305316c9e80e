// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.endpoint;

import io.delayqueue.control.Caller;
import io.delayqueue.control.QueueControl;
import io.delayqueue.internal.autoconfigure.endpoint.ControlCalls.Filter;
import io.delayqueue.internal.autoconfigure.endpoint.DelayQueueAnswer.Changed;
import java.security.Principal;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;
import org.springframework.context.annotation.ImportRuntimeHints;

/**
 * The endpoint over HTTP. Ids of tasks are parameters and never a part of the path, for they may hold slashes. Who asks is the
 * request's principal.
 */
@EndpointWebExtension(endpoint = DelayQueueEndpoint.class)
@ImportRuntimeHints(AnswerHints.class)
public class DelayQueueEndpointWebExtension {

    private static final String QUEUES = "queues";
    private static final String OPERATIONS = "operations";

    private final ControlCalls calls;
    private final QueueControl control;

    public DelayQueueEndpointWebExtension(QueueControl control) {
        this.control = control;
        this.calls = new ControlCalls(control);
    }

    private static Caller caller(SecurityContext security) {
        Principal principal = security.getPrincipal();
        return principal == null ? Caller.unknown("anonymous") : Caller.of(principal, security::isUserInRole);
    }

    /** All queues. */
    @ReadOperation
    public WebEndpointResponse<DelayQueueAnswer> queues(SecurityContext security) {
        return WebAnswers.of(() ->
                new DelayQueueAnswer.Queues(control.queues(caller(security)).found()));
    }

    /**
     * {@code queues}, {@code tasks} or {@code operations}.
     *
     * @param id the id of the tasks that are looked for in all queues
     */
    @ReadOperation
    public WebEndpointResponse<DelayQueueAnswer> all(
            SecurityContext security, @Selector String kind, @Nullable String id) {
        Caller caller = caller(security);
        return WebAnswers.of(() -> switch (kind) {
            case QUEUES -> new DelayQueueAnswer.Queues(control.queues(caller).found());
            case "tasks" ->
                new DelayQueueAnswer.Found(
                        control.find(caller, Texts.required("id", id)).found());
            case OPERATIONS -> new DelayQueueAnswer.Operations(control.bulk().all(caller));
            default -> WebAnswers.NOTHING_THERE;
        });
    }

    /** {@code queues/<name>} or {@code operations/<handle>}. */
    @ReadOperation
    public WebEndpointResponse<DelayQueueAnswer> one(
            SecurityContext security, @Selector String kind, @Selector String name) {
        Caller caller = caller(security);
        return WebAnswers.of(() -> switch (kind) {
            case QUEUES -> new DelayQueueAnswer.Queue(control.queue(caller, name));
            case OPERATIONS -> WebAnswers.orNothing(calls.operation(caller, name));
            default -> WebAnswers.NOTHING_THERE;
        });
    }

    /**
     * {@code queues/<name>/task}, and so {@code tasks}, {@code history}, {@code histogram}, {@code rates}, {@code reasons}
     * and {@code owners}.
     */
    @ReadOperation
    public WebEndpointResponse<DelayQueueAnswer> part(
            SecurityContext security,
            @Selector String kind,
            @Selector String name,
            @Selector String part,
            @Nullable String id,
            @Nullable String state,
            @Nullable String idPrefix,
            @Nullable String group,
            @Nullable String from,
            @Nullable String until,
            @Nullable String reason,
            @Nullable String header,
            @Nullable String size,
            @Nullable String after,
            @Nullable String width,
            @Nullable String slices) {
        Caller caller = caller(security);
        Filter filter = new Filter(idPrefix, group, from, until, reason, header);
        return WebAnswers.of(() -> switch (kind + "/" + part) {
            case "queues/task" -> WebAnswers.orNothing(calls.task(caller, name, id));
            case "queues/tasks" -> calls.tasks(caller, name, state, filter, size, after);
            case "queues/history" -> calls.history(caller, name, id);
            case "queues/histogram" -> calls.histogram(caller, name, from, width, slices);
            case "queues/rates" -> calls.rates(caller, name, from, until);
            case "queues/owners" -> calls.owners(caller, name);
            case "queues/reasons" -> new DelayQueueAnswer.Reasons(control.deadReasons(caller, name));
            default -> WebAnswers.NOTHING_THERE;
        });
    }

    /**
     * {@code queues/<name>/<action>}: of a queue, of the task with an id, or of all tasks that a filter names. {@code
     * operations/<handle>/stop} and {@code operations/<handle>/resume}. A parameter that a change of a queue or of its tasks would
     * not heed is refused.
     */
    @WriteOperation
    public WebEndpointResponse<DelayQueueAnswer> act(
            SecurityContext security,
            @Selector String kind,
            @Selector String name,
            @Selector String action,
            @Nullable String id,
            @Nullable String to,
            @Nullable String shards,
            @Nullable String idPrefix,
            @Nullable String group,
            @Nullable String from,
            @Nullable String until,
            @Nullable String reason,
            @Nullable String header,
            @Nullable String perSecond,
            @Nullable String dryRun,
            @Nullable String all) {
        Caller caller = caller(security);
        Filter filter = new Filter(idPrefix, group, from, until, reason, header);
        ChangeParameters parameters = new ChangeParameters()
                .with("id", id)
                .with("to", to)
                .with("shards", shards)
                .with("idPrefix", idPrefix)
                .with("group", group)
                .with("from", from)
                .with("until", until)
                .with("reason", reason)
                .with("header", header)
                .with("perSecond", perSecond)
                .with("dryRun", dryRun)
                .with("all", all);
        return WebAnswers.of(() -> {
            if (kind.equals(OPERATIONS)) {
                return WebAnswers.orNothing(calls.steer(caller, name, action));
            }
            if (!kind.equals(QUEUES)) {
                return WebAnswers.NOTHING_THERE;
            }
            parameters.requireFitFor(action);
            Changed changed = calls.changeQueue(caller, action, name, shards);
            if (changed != null) {
                return changed;
            }
            return id == null
                    ? calls.start(caller, action, name, filter, to, perSecond, dryRun, all)
                    : calls.changeTask(caller, action, name, id, to);
        });
    }

    /**
     * {@code queues/<name>/tasks}: deletes every task of a queue.
     *
     * @param confirm the queue's name once more
     */
    @DeleteOperation
    public WebEndpointResponse<DelayQueueAnswer> purge(
            SecurityContext security,
            @Selector String kind,
            @Selector String name,
            @Selector String part,
            @Nullable String confirm) {
        Caller caller = caller(security);
        return WebAnswers.of(() -> (kind + "/" + part).equals("queues/tasks")
                ? calls.purge(caller, name, confirm)
                : WebAnswers.NOTHING_THERE);
    }
}
