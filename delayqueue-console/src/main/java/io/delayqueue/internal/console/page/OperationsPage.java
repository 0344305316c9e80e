// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import io.delayqueue.TaskIds;
import io.delayqueue.control.BulkAction;
import io.delayqueue.control.OperationView;
import io.delayqueue.control.OperationView.Status;
import io.delayqueue.control.QueuePermission;
import io.delayqueue.internal.console.html.Address;
import io.delayqueue.internal.console.html.Moments;
import io.delayqueue.internal.console.html.Numbers;
import io.delayqueue.internal.console.html.View;
import io.delayqueue.internal.console.request.ConsoleRequest;
import io.delayqueue.internal.control.QueueControl;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The list of operations by filter, and the page of an operation. */
record OperationsPage(QueueControl control) {

    /** The parameters of an operation that do not select tasks. */
    private static final Set<String> SELECTING_NONE = Set.of("to", "over", "by", "perSecond");

    /** Maximum number of tasks to delete without typing the name of the queue. */
    private static final int MOST_UNCONFIRMED = 1000;

    /** Length of a condition that may have been shortened. */
    private static final int SHORTENED = 300;

    private static final Map<String, String> LABELS = Map.ofEntries(
            Map.entry("idPrefix", "id starts with %s"),
            Map.entry("reason", "reason contains \"%s\""),
            Map.entry("exactReason", "reason is \"%s\""),
            Map.entry("withoutReason", "without a reason"),
            Map.entry("reasonKind", "reason like \"%s\""),
            Map.entry("header", "header %s"),
            Map.entry("retrying", "an attempt has failed"),
            Map.entry("perSecond", "rate %s/s"));

    /** The actions that delete tasks. */
    private static final String DELETING = "CANCEL|DISCARD|ERASE";

    Page all(ConsoleRequest request) {
        List<OperationView> newestFirst = new ArrayList<>(control.bulk().all(request.caller()));
        Collections.reverse(newestFirst);
        List<View> rows =
                newestFirst.stream().map(operation -> row(operation, request)).toList();
        return new Page(
                "Bulk actions",
                "operations",
                View.of("rows", rows)
                        .with("none", rows.isEmpty())
                        .with("homeLink", request.links().home()),
                List.of("operations-table"));
    }

    Page one(ConsoleRequest request, String handle) {
        Optional<OperationView> found = control.bulk().find(request.caller(), handle);
        View view = View.of("handle", handle).with("isThere", found.isPresent());
        found.ifPresent(operation -> describe(view, operation, request));
        return new Page(
                        found.map(OperationsPage::title).orElse("Bulk action"),
                        "operation",
                        view,
                        List.of("operation-facts", "operation-actions"))
                .below(request.links().crumb("Bulk actions", request.links().page("operations")));
    }

    private void describe(View view, OperationView operation, ConsoleRequest request) {
        view.putAll(row(operation, request));
        Status status = operation.status();
        boolean operates =
                control.permissions(request.caller(), operation.queue()).contains(QueuePermission.OPERATE);
        boolean ownCount =
                operation.dryRun() && operation.by().equals(request.caller().name());
        // Without tasks, there may still be records to erase.
        boolean isWorthIt = operation.matched() > 0 || operation.action() == BulkAction.ERASE;
        boolean counted = operation.dryRun() && status == Status.DONE && isWorthIt;
        boolean canStop = !operation.dryRun() && status != Status.DONE;
        int of = request.fields().number("of", 0);
        Address home = request.links().operation(operation.handle());
        view.with("takes", takes(operation))
                .with("stopLink", status == Status.RUNNING && (operates || ownCount) ? home + "/stop" : null)
                .with(
                        "resumeLink",
                        operates && !operation.dryRun() && (status == Status.STOPPED || status == Status.FAILED)
                                ? home + "/resume"
                                : null)
                .with("runLink", operates && counted ? home + "/run" : null)
                .with("isPaced", canStop && operation.action().isPaced())
                .with("afterStop", canStop ? afterStop(operation.action()) : null)
                .with("matchedText", matched(operation))
                .with("countText", counted(operation))
                .with("backLink", operation.dryRun() ? back(operation, request) : null)
                .with("deletesAll", deletesAll(operation))
                .with("runVerb", run(operation))
                .with("runTone", deletes(operation) ? "danger" : "primary")
                .with(
                        "progress",
                        of > 0 && !operation.dryRun()
                                ? View.of("of", of).with("at", operation.done() + operation.left())
                                : null);
    }

    /** Returns what follows a stop, for actions whose effect does not end with it; otherwise null. */
    static @Nullable String afterStop(BulkAction action) {
        return switch (action) {
            case REDRIVE -> "no more tasks follow after about ten seconds";
            case DELIVER, RESCHEDULE -> "tasks that the operation has changed keep their new due times";
            case CANCEL, DISCARD, ERASE -> null;
        };
    }

    private static boolean deletes(OperationView operation) {
        return operation.action().name().matches(DELETING);
    }

    private static String matched(OperationView operation) {
        String matched = Numbers.grouped(operation.matched());
        return !isCounting(operation) ? matched : operation.matched() == 0 ? "counting…" : matched + ", counting…";
    }

    private static boolean isCounting(OperationView operation) {
        return operation.dryRun() && operation.status() == Status.RUNNING;
    }

    /** Describes the result of a count. */
    private static String counted(OperationView operation) {
        if (isCounting(operation)) {
            return "Counting the tasks. Nothing is changed.";
        }
        if (operation.status() != Status.DONE) {
            return "Nothing was changed; the count ended early.";
        }
        if (operation.matched() > 0) {
            return "Nothing was changed; the tasks were counted.";
        }
        return operation.action() == BulkAction.ERASE
                ? "No task matches. There may still be records to erase."
                : "No task matches, so there is nothing to change.";
    }

    /** Returns the form with the fields of the operation; null if a condition was too long to be kept in full. */
    private static @Nullable Address back(OperationView operation, ConsoleRequest request) {
        if (operation.filter().values().stream().anyMatch(value -> value.length() >= SHORTENED)) {
            return null;
        }
        return request.links()
                .of(operation.queue(), "bulk")
                .with("action", operation.action().name().toLowerCase(Locale.ROOT))
                .with("all", isOfAll(operation) ? "true" : null)
                .with(fields(operation.filter()));
    }

    /** Returns the conditions with the key and the group instead of their prefix of ids. */
    private static Map<String, String> fields(Map<String, String> conditions) {
        Map<String, String> fields = new LinkedHashMap<>();
        conditions.forEach((name, value) -> {
            String key = TaskIds.keyOf(value).orElse(null);
            String group = TaskIds.groupOf(value).orElse(null);
            boolean isOfBoth =
                    name.equals("idPrefix") && TaskIds.of(key, group, "").equals(value);
            if (isOfBoth && key != null) {
                fields.put("key", key);
            }
            if (isOfBoth && group != null) {
                fields.put("group", group);
            }
            if (!isOfBoth) {
                fields.put(name, value);
            }
        });
        return fields;
    }

    /** Returns how long the deliveries take at the rate of the operation, as far as it is known; null without a rate. */
    private static @Nullable String takes(OperationView operation) {
        String perSecond = operation.filter().get("perSecond");
        if (perSecond == null || !perSecond.matches("[1-9]\\d{0,8}")) {
            return null;
        }
        return operation.matched() == 0
                ? "–"
                : "about "
                        + Moments.length(
                                Duration.ofSeconds(Math.max(1, operation.matched() / Long.parseLong(perSecond))));
    }

    private static View row(OperationView operation, ConsoleRequest request) {
        return View.of("what", title(operation))
                .with("link", request.links().operation(operation.handle()))
                .with("queueName", operation.queue())
                .with("queueLink", request.links().queue(operation.queue()))
                .with("status", words(operation))
                .with("statusTone", tone(operation.status()))
                .with("matched", Numbers.grouped(operation.matched()))
                .with("done", Numbers.grouped(operation.done()))
                .with("inFlight", operation.inFlight() == 0 ? null : Numbers.grouped(operation.inFlight()))
                .with("left", Numbers.grouped(operation.left()))
                .with("isCount", operation.dryRun())
                .with("erased", erased(operation))
                .with("filter", filter(operation, request.moments()))
                .with("by", operation.by())
                .with("process", operation.process())
                .with("startedAt", request.moments().view(operation.startedAt()))
                .with("endedAt", request.moments().view(operation.endedAt()))
                .with("error", operation.error());
    }

    /** Returns what an erasure found and deleted besides tasks; null for other actions. */
    private static @Nullable View erased(OperationView operation) {
        OperationView.Erased erased = operation.erased();
        return erased == null
                ? null
                : View.of("inProgress", Numbers.grouped(erased.inProgress()))
                        .with("anyInProgress", erased.inProgress() > 0)
                        .with("isDone", !operation.dryRun())
                        .with("historyEntries", Numbers.grouped(erased.historyEntries()))
                        .with("outboxRows", Numbers.grouped(erased.outboxRows()))
                        .with(
                                "remains",
                                erased.remains().stream()
                                        .map(each -> View.of("text", each))
                                        .toList());
    }

    /** Returns the words for the parameters of a change. Each has a text and perhaps a time after it. */
    static List<View> words(Map<String, String> parameters, Moments moments) {
        List<View> words = new ArrayList<>();
        fields(parameters).forEach((name, value) -> words.add(word(name, value, moments)));
        return words;
    }

    private static View word(String name, String value, Moments moments) {
        try {
            return switch (name) {
                case "over" -> word(over(Duration.parse(value)));
                case "by" -> word(by(Duration.parse(value)));
                case "for" -> word("for " + Moments.length(Duration.parse(value)));
                case "from", "until", "to" -> word(name + " ").with("wordAt", moments.view(Instant.parse(value)));
                default -> {
                    // The name may come from another program, so it is not part of a format.
                    String label = LABELS.get(name);
                    yield word(label == null ? name + " " + value : label.formatted(value));
                }
            };
        } catch (DateTimeException ex) {
            return word(name + " " + value);
        }
    }

    private static View word(String text) {
        return View.of("word", text).with("wordAt", null);
    }

    private static List<View> filter(OperationView operation, Moments moments) {
        List<View> words = new ArrayList<>(words(operation.filter(), moments));
        if (isOfAll(operation)) {
            words.add(0, word("all tasks"));
        }
        return words;
    }

    private static String over(Duration over) {
        return over.isZero() ? "all at the same time" : "spread over " + Moments.length(over);
    }

    private static String by(Duration by) {
        return Moments.length(by.abs()) + (by.isNegative() ? " earlier" : " later");
    }

    private static String tone(Status status) {
        return switch (status) {
            case FAILED -> "bad";
            case STOPPED -> "warn";
            case DONE -> "ok";
            case RUNNING -> "";
        };
    }

    /** Returns the verb with the number of its tasks, such as "Redrive 2 dead tasks". */
    private static String run(OperationView operation) {
        return verb(operation)
                .replaceFirst(" ", " " + Numbers.grouped(operation.matched()) + " ")
                .replaceFirst("tasks", operation.matched() == 1 ? "task" : "tasks");
    }

    private static boolean isOfAll(OperationView operation) {
        return SELECTING_NONE.containsAll(operation.filter().keySet());
    }

    /**
     * Returns whether the operation deletes all tasks of a state, or very many. The user must then type the name of
     * the queue to confirm it.
     */
    static boolean deletesAll(OperationView operation) {
        return deletes(operation) && (isOfAll(operation) || operation.matched() > MOST_UNCONFIRMED);
    }

    private static String words(OperationView operation) {
        return switch (operation.status()) {
            case RUNNING -> operation.dryRun() ? "counting" : "running";
            case STOPPED -> "stopped";
            case FAILED -> "failed";
            case DONE -> operation.dryRun() ? "counted" : "done";
        };
    }

    private static String title(OperationView operation) {
        return (operation.dryRun() ? "Preview: " + verb(operation).toLowerCase(Locale.ROOT) : verb(operation)) + " in "
                + operation.queue();
    }

    private static String verb(OperationView operation) {
        return switch (operation.action()) {
            case CANCEL -> "Cancel scheduled tasks";
            case RESCHEDULE -> "Reschedule tasks";
            case DELIVER -> "Deliver tasks now";
            case REDRIVE -> "Redrive dead tasks";
            case DISCARD -> "Discard dead tasks";
            case ERASE -> "Erase tasks and records";
        };
    }
}
