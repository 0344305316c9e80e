// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control.web;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The calls of the endpoint and their parameters. The endpoint accepts only these parameters. {@code GET help} and
 * {@code docs/openapi.json} are generated from this list.
 */
public final class ApiCalls {

    /** The kind of a parameter's value, as in OpenAPI. */
    public enum Type {
        STRING,
        INTEGER,
        BOOLEAN
    }

    /**
     * A parameter.
     *
     * @param required whether the call fails without it
     * @param meaning meaning, valid values and default
     */
    public record Parameter(String name, Type type, boolean required, String meaning) {}

    /**
     * A call.
     *
     * @param path below the address of the endpoint, with the variables {@code {queue}} and {@code {handle}}
     * @param result what it returns or changes
     */
    public record Call(String method, String path, String result, List<Parameter> parameters) {

        /** Returns the names of the parameters. */
        public Set<String> names() {
            return parameters.stream().map(Parameter::name).collect(Collectors.toUnmodifiableSet());
        }
    }

    private static final String OPTIONAL_ZONE = "time zone for times without an offset, such as Europe/Berlin; UTC";

    static final List<Parameter> FILTER = List.of(
            text("idPrefix", "start of the id; instead of key and group"),
            text("key", "key of the task"),
            text("group", "group of the task"),
            text("from", "start of a period in which the task is due or retried, its lease ends, or it died"),
            text("until", "end of this period"),
            text("reason", "text that the last reason contains"),
            text("exactReason", "the last reason"),
            flag("withoutReason", "true: tasks without a reason"),
            text("reasonKind", "kind of the last reason, as returned by /reasons"),
            text("header", "name=value"),
            flag("retrying", "true: tasks with a failed attempt"),
            text("zone", OPTIONAL_ZONE));

    private static final Parameter EVERY = flag("all", "true: select all tasks of the queue instead of a filter");
    private static final Parameter DRY_RUN = flag("dryRun", "true (default): only count; false: change the tasks");
    private static final List<Parameter> MANY = plus(FILTER, EVERY, DRY_RUN);
    /** The outbox and the history record only ids, so an erasure has no other conditions. */
    private static final List<Parameter> BY_ID = plus(FILTER.subList(0, 3), EVERY, DRY_RUN);

    private static final Parameter ID = required("id", "id of the task");
    private static final List<Parameter> ONE = List.of(
            ID,
            text("nextAttentionAt", "change the task only if this is its nextAttentionAt"),
            text("zone", OPTIONAL_ZONE));
    private static final Parameter KEY = required("key", "the key");
    private static final Parameter SIZE = number("size", "entries per page: 100, at most 500");
    private static final Parameter AFTER = text("after", "'next' of the previous page");
    private static final Parameter PACE =
            number("perSecond", "maximum number of tasks that become due per second: 500, at most 1,000,000");

    /** All calls. */
    public static final List<Call> ALL = List.of(
            get("/", "all queues"),
            get("/help", "these calls"),
            get("/queues", "all queues"),
            get("/queues/{queue}", "a queue"),
            get("/queues/{queue}/settings", "the settings of the processes that deliver the queue"),
            get(
                    "/queues/{queue}/tasks",
                    "a page of tasks; the first page includes the total, but not with a condition on ids, reasons or "
                            + "headers, and for leased and dead tasks not with any condition",
                    plus(
                            FILTER,
                            text("state", "scheduled (default), leased or dead"),
                            text("sort", "for dead tasks: newest (default) or oldest first"),
                            SIZE,
                            AFTER)),
            get("/queues/{queue}/task", "a task", List.of(ID)),
            get("/queues/{queue}/history", "the history of a task", List.of(ID)),
            get(
                    "/queues/{queue}/histogram",
                    "how many tasks are due in each time slice",
                    List.of(
                            text("from", "start: now"),
                            text("width", "duration of a slice: 1m"),
                            number("slices", "number of slices: 60, at most 500"),
                            text("zone", OPTIONAL_ZONE))),
            get("/queues/{queue}/reasons", "number of dead tasks by reason"),
            get(
                    "/queues/{queue}/rates",
                    "deliveries in total and per step: a minute, or an hour if from is more than a day ago",
                    List.of(
                            text("from", "start: an hour ago; at most 90 days ago"),
                            text("until", "end: a minute from now"),
                            text("zone", OPTIONAL_ZONE))),
            get("/queues/{queue}/key", "a key: its run-time settings and its held-back tasks", List.of(KEY)),
            get("/queues/{queue}/keys", "the ten keys with the most held-back tasks"),
            get("/tasks", "the tasks with an id in all queues", List.of(ID)),
            get(
                    "/audit",
                    "changes of all processes, newest first",
                    List.of(text("queue", "only changes of this queue"), SIZE, AFTER)),
            get("/operations", "operations of all processes"),
            get(
                    "/operations/{handle}",
                    "the progress of an operation",
                    List.of(text("wait", "how long to wait for its end: 0s, at most 30s"))),
            post("/operations/{handle}/stop", "stops an operation before its next page"),
            post("/operations/{handle}/resume", "continues an operation"),
            post("/operations/{handle}/run", "makes the changes that a dry run counted"),
            post("/queues/{queue}/cancel", "cancels one task", ONE),
            post("/queues/{queue}/cancel", "cancels scheduled tasks", MANY),
            post(
                    "/queues/{queue}/reschedule",
                    "changes the due time of one task",
                    plus(ONE, text("to", "new due time"), text("by", "duration to move it by, instead of 'to'"))),
            post(
                    "/queues/{queue}/reschedule",
                    "moves or spreads the due times of scheduled tasks",
                    plus(
                            MANY,
                            text("by", "duration to move each task by"),
                            text("to", "earliest new due time, instead of 'by'"),
                            text("over", "period after 'to' over which to spread them; 0s for all at once"))),
            post("/queues/{queue}/deliver", "makes one task due", ONE),
            post("/queues/{queue}/deliver", "makes scheduled tasks due at a limited rate", plus(MANY, PACE)),
            post("/queues/{queue}/redrive", "redrives one dead task", ONE),
            post(
                    "/queues/{queue}/redrive",
                    "redrives dead tasks at a limited rate",
                    plus(MANY, PACE, number("first", "redrive only this many tasks, as a trial"))),
            post("/queues/{queue}/discard", "deletes one dead task", ONE),
            post("/queues/{queue}/discard", "deletes dead tasks", MANY),
            post("/queues/{queue}/erase", "deletes scheduled and dead tasks, and what is recorded about them", BY_ID),
            post(
                    "/queues/{queue}/schedule",
                    "schedules a task, or replaces the task with this id",
                    List.of(
                            ID,
                            text("key", "its key"),
                            text("group", "its group"),
                            required("to", "due time"),
                            required("payload", "the payload as text; in JSON, with escaped quotes"),
                            text("contentType", "content type of the payload: application/json"),
                            text("header", "name=value"),
                            flag("replace", "true: replace an existing task; false (default): keep it"),
                            text("zone", OPTIONAL_ZONE))),
            post(
                    "/queues/{queue}/pause",
                    "pauses a queue, or changes its pause",
                    List.of(
                            text("for", "duration; without it, until resumed"),
                            text("reason", "why, for other operators"))),
            post("/queues/{queue}/resume", "resumes a queue"),
            post(
                    "/queues/{queue}/reshard",
                    "changes the number of shards",
                    List.of(new Parameter("shards", Type.INTEGER, true, "1 to 1,024"))),
            post(
                    "/queues/{queue}/close-key",
                    "closes a key",
                    List.of(
                            KEY,
                            text("until", "when it opens; without it, until opened"),
                            text("zone", OPTIONAL_ZONE))),
            post("/queues/{queue}/open-key", "opens a key", List.of(KEY)),
            post(
                    "/queues/{queue}/limit-key",
                    "sets limits of a key; without rate and concurrency, restores the configured limits",
                    List.of(
                            KEY,
                            text("rate", "such as 5/s"),
                            number("concurrency", "maximum number of deliveries in progress"))),
            post(
                    "/queues/{queue}/purge",
                    "deletes all tasks of a queue",
                    List.of(required("confirm", "the name of the queue"))));

    private ApiCalls() {}

    /**
     * Returns the names of the parameters of a call, without the zone.
     *
     * @param one whether to choose the call for one task, if the path has two calls
     * @throws IllegalArgumentException if there is no such call
     */
    public static Set<String> names(String method, String path, boolean one) {
        List<Call> calls = ALL.stream()
                .filter(call -> call.method().equals(method) && call.path().equals(path))
                .toList();
        if (calls.isEmpty()) {
            throw new IllegalArgumentException("The action must be one of "
                    + ALL.stream()
                            .filter(call ->
                                    call.method().equals("POST") && call.path().startsWith("/queues/"))
                            .map(call -> call.path().replaceAll(".*/", ""))
                            .distinct()
                            .collect(Collectors.joining(", ")));
        }
        return calls.get(one ? 0 : calls.size() - 1).names().stream()
                .filter(name -> !name.equals("zone"))
                .collect(Collectors.toUnmodifiableSet());
    }

    private static Call get(String path, String result) {
        return get(path, result, List.of());
    }

    private static Call get(String path, String result, List<Parameter> parameters) {
        return new Call("GET", path, result, parameters);
    }

    private static Call post(String path, String result) {
        return post(path, result, List.of());
    }

    private static Call post(String path, String result, List<Parameter> parameters) {
        return new Call("POST", path, result, parameters);
    }

    private static Parameter text(String name, String meaning) {
        return new Parameter(name, Type.STRING, false, meaning);
    }

    private static Parameter required(String name, String meaning) {
        return new Parameter(name, Type.STRING, true, meaning);
    }

    private static Parameter number(String name, String meaning) {
        return new Parameter(name, Type.INTEGER, false, meaning);
    }

    private static Parameter flag(String name, String meaning) {
        return new Parameter(name, Type.BOOLEAN, false, meaning);
    }

    private static List<Parameter> plus(List<Parameter> some, Parameter... more) {
        List<Parameter> all = new ArrayList<>(some);
        all.addAll(Arrays.asList(more));
        return List.copyOf(all);
    }
}
