// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control.web;

import io.delayqueue.ConflictPolicy;
import io.delayqueue.EncodedPayload;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.admin.KeyLimits;
import io.delayqueue.admin.PurgeResult;
import io.delayqueue.control.BulkAction;
import io.delayqueue.control.Caller;
import io.delayqueue.control.OperationView;
import io.delayqueue.control.TaskFilter;
import io.delayqueue.internal.control.BulkControl;
import io.delayqueue.internal.control.BulkRequest;
import io.delayqueue.internal.control.QueueChanges;
import io.delayqueue.internal.control.QueueControl;
import io.delayqueue.internal.queue.Rate;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes changes for the endpoint and the console, as described by a path and parameters. Unused parameters are
 * rejected.
 */
public final class ControlChanges {

    /** Default number of tasks per second for operations with a rate. */
    public static final int PER_SECOND = 500;

    private static final Set<String> NONE = Set.of();

    private final BulkControl bulk;
    private final QueueChanges changes;

    public ControlChanges(QueueControl control) {
        this.bulk = control.bulk();
        this.changes = control.changes();
    }

    /** The result of a change. */
    public sealed interface Change {}

    /**
     * A change to the queue or one task.
     *
     * @param action the action of the request
     * @param id the task; {@code null} if the queue itself was changed
     * @param outcome outcome of the action
     * @param count number of changed tasks
     */
    public record Done(
            String action, String queue, @Nullable String id, String outcome, long count) implements Change {}

    /** An operation on many tasks that was started, stopped or resumed. */
    public record Steered(OperationView operation) implements Change {}

    /**
     * Makes a change. {@code queues/<queue>/<action>} changes the queue, the task with the parameter {@code id}, or all
     * tasks that match the filter; {@code operations/<handle>/<run, stop or resume>} changes an operation.
     *
     * @return the change; empty if the path does not name a change or an existing operation
     */
    public Optional<Change> make(Caller caller, List<String> path, Parameters parameters) {
        if (path.size() != 3) {
            return Optional.empty();
        }
        return switch (path.get(0)) {
            case "queues" -> change(caller, path.get(1), path.get(2), parameters);
            case "operations" -> steer(caller, path.get(1), path.get(2), parameters);
            default -> Optional.empty();
        };
    }

    private Optional<Change> change(Caller caller, String queue, String action, Parameters parameters) {
        Optional<BulkAction> ofTasks = Arrays.stream(BulkAction.values())
                .filter(each -> word(each).equals(action))
                .findFirst();
        if (ofTasks.isPresent()) {
            return Optional.of(
                    parameters.text("id") == null
                            ? start(caller, queue, ofTasks.get(), parameters)
                            : changeTask(caller, queue, ofTasks.get(), parameters));
        }
        parameters.requireOnly(names(action, true), action);
        switch (action) {
            case "pause" -> {
                String reason = parameters.text("reason");
                changes.pause(
                        caller,
                        queue,
                        reason == null ? "" : reason,
                        parameters.text("for") == null ? null : parameters.duration("for", "0s"));
            }
            case "resume" -> changes.resume(caller, queue);
            case "reshard" -> {
                parameters.required("shards");
                changes.reshard(caller, queue, parameters.number("shards", 0));
            }
            case "close-key" -> {
                boolean isEndless = parameters.text("until") == null;
                Instant until = isEndless ? Instant.MAX : parameters.requiredMoment("until");
                changes.closeKey(caller, queue, parameters.required("key"), until);
            }
            case "open-key" -> changes.openKey(caller, queue, parameters.required("key"));
            case "limit-key" -> changes.setKeyLimits(caller, queue, parameters.required("key"), limits(parameters));
            case "schedule" -> {
                return Optional.of(schedule(caller, queue, parameters));
            }
            case "purge" -> {
                return Optional.of(purge(caller, queue, parameters.required("confirm")));
            }
            default -> throw new IllegalStateException(action);
        }
        return Optional.of(new Done(action, queue, null, "DONE", 0));
    }

    private static Set<String> names(String action, boolean one) {
        return ApiCalls.names("POST", "/queues/{queue}/" + action, one);
    }

    private Done schedule(Caller caller, String queue, Parameters parameters) {
        String contentType = parameters.text("contentType");
        ScheduleRequest.Builder<Object> request = ScheduleRequest.to(queue)
                .id(parameters.required("id"))
                .payload(new EncodedPayload(
                        contentType == null ? "application/json" : contentType,
                        parameters.required("payload").getBytes(StandardCharsets.UTF_8)))
                .dueAt(parameters.requiredMoment("to"))
                .onConflict(parameters.flag("replace", false) ? ConflictPolicy.REPLACE : ConflictPolicy.KEEP);
        String key = parameters.text("key");
        String group = parameters.text("group");
        if (key != null) {
            request.key(key);
        }
        if (group != null) {
            request.group(group);
        }
        if (parameters.text("header") != null) {
            request.header(parameters.header()[0], parameters.header()[1]);
        }
        ScheduleRequest<Object> built = request.build();
        String outcome = changes.schedule(caller, built).name();
        return new Done("schedule", queue, built.id(), outcome, outcome.equals("KEPT") ? 0 : 1);
    }

    /** Returns the limits to set; without parameters, the configured ones. */
    private static KeyLimits limits(Parameters parameters) {
        KeyLimits limits = KeyLimits.NONE;
        if (parameters.text("rate") != null) {
            Rate rate = Rate.parse(parameters.required("rate"));
            limits = KeyLimits.rate(rate.tasks(), rate.per());
            limits = rate.burst() == 0 ? limits : limits.withBurst(rate.burst());
        }
        return parameters.text("concurrency") == null
                ? limits
                : limits.withConcurrency(parameters.number("concurrency", 0));
    }

    private static String word(BulkAction action) {
        return action.name().toLowerCase(Locale.ROOT);
    }

    private Done purge(Caller caller, String queue, String confirm) {
        PurgeResult purged = changes.purge(caller, queue, confirm);
        String outcome = purged.left() == 0 ? "DONE" : "LEFT " + purged.left();
        return new Done("purge", queue, null, outcome, purged.live() + purged.dead());
    }

    private Change changeTask(Caller caller, String queue, BulkAction action, Parameters parameters) {
        parameters.requireOnly(names(word(action), true), word(action) + " of one task");
        String id = parameters.required("id");
        Instant seen = parameters.text("nextAttentionAt") == null ? null : parameters.requiredMoment("nextAttentionAt");
        String outcome = switch (action) {
            case CANCEL -> changes.cancel(caller, queue, id, seen).name();
            case RESCHEDULE -> reschedule(caller, queue, id, seen, parameters).name();
            case DELIVER -> changes.deliverNow(caller, queue, id, seen).name();
            case REDRIVE -> changes.redrive(caller, queue, id, seen) ? "REDRIVEN" : "NOT_FOUND";
            case DISCARD -> changes.discard(caller, queue, id, seen) ? "DISCARDED" : "NOT_FOUND";
            case ERASE ->
                throw new IllegalArgumentException(
                        "Give 'key', 'group' or 'idPrefix' instead of 'id': erase selects by these");
        };
        return new Done(word(action), queue, id, outcome, outcome.equals("NOT_FOUND") ? 0 : 1);
    }

    /** Sets the due time ({@code to}), or moves it by a duration ({@code by}). */
    private RescheduleOutcome reschedule(
            Caller caller, String queue, String id, @Nullable Instant seen, Parameters parameters) {
        if (parameters.text("by") == null) {
            return changes.reschedule(caller, queue, id, parameters.requiredMoment("to"), seen);
        }
        parameters.requireOneOf("to", "by");
        return changes.postpone(caller, queue, id, parameters.duration("by", "0s"), seen);
    }

    /**
     * Starts an operation. It only counts unless {@code dryRun} is {@code false}. Without a filter, {@code all} must be
     * {@code true}. A redrive with {@code first} is complete when the call returns.
     */
    private Change start(Caller caller, String queue, BulkAction action, Parameters parameters) {
        boolean isTrial = action == BulkAction.REDRIVE && parameters.text("first") != null;
        parameters.requireOnly(names(word(action), false), word(action) + " of many tasks");
        if (isTrial) {
            parameters.requireOneOf("first", "perSecond");
            parameters.requireOneOf("first", "dryRun");
        }
        TaskFilter filter = parameters.filter();
        boolean all = parameters.flag("all", false);
        if (all && !filter.asText().isEmpty()) {
            throw new IllegalArgumentException("Give either 'all' or a filter, not both. The request filters by "
                    + String.join(", ", filter.asText().keySet()));
        }
        if (filter.asText().isEmpty() && !all) {
            throw new IllegalArgumentException("Select tasks: give the 'id' of a task, at least one of "
                    + String.join(", ", Parameters.FILTER) + ", or 'all': true for all tasks of the queue");
        }
        Instant to = null;
        Duration over = null;
        Duration by = null;
        if (action == BulkAction.RESCHEDULE) {
            if (parameters.text("by") == null) {
                to = parameters.requiredMoment("to");
                parameters.required(
                        "over", "the period over which to spread the due times; 0s gives all tasks the same due time");
                over = parameters.duration("over", "0s");
            } else {
                parameters.requireOneOf("to", "by");
                parameters.requireOneOf("over", "by");
                by = parameters.duration("by", "0s");
            }
        }
        if (isTrial) {
            long redriven = changes.redriveFirst(caller, queue, filter, parameters.number("first", 0));
            return new Done(word(action), queue, null, "DONE", redriven);
        }
        BulkRequest request = new BulkRequest(
                queue, action, filter, to, over, by, pace(action, parameters), parameters.flag("dryRun", true));
        return new Steered(bulk.start(caller, request));
    }

    private static @Nullable Integer pace(BulkAction action, Parameters parameters) {
        boolean none = !action.isPaced() && parameters.text("perSecond") == null;
        return none ? null : Integer.valueOf(parameters.number("perSecond", PER_SECOND));
    }

    private Optional<Change> steer(Caller caller, String handle, String verb, Parameters parameters) {
        parameters.requireOnly(NONE, verb + " of an operation");
        return switch (verb) {
            case "run" -> bulk.run(caller, handle).map(Steered::new);
            case "stop" -> bulk.stop(caller, handle).map(Steered::new);
            case "resume" -> bulk.resume(caller, handle).map(Steered::new);
            default -> Optional.empty();
        };
    }
}
