// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import io.delayqueue.DelayQueueException;
import io.delayqueue.admin.QueuePause;
import io.delayqueue.control.Caller;
import io.delayqueue.control.OperationView;
import io.delayqueue.control.QueuePermission;
import io.delayqueue.internal.console.html.Address;
import io.delayqueue.internal.console.html.Links;
import io.delayqueue.internal.console.request.ConsoleRequest;
import io.delayqueue.internal.control.QueueControl;
import io.delayqueue.internal.control.QueueView;
import io.delayqueue.internal.control.TaskDetails;
import io.delayqueue.internal.control.web.ControlChanges;
import io.delayqueue.internal.control.web.ControlChanges.Change;
import io.delayqueue.internal.control.web.ControlChanges.Done;
import io.delayqueue.internal.control.web.ControlChanges.Steered;
import io.delayqueue.internal.control.web.Parameters;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the change that a form requests, and returns the page that reports it. */
public final class Changes {

    private static final Logger log = LoggerFactory.getLogger(Changes.class);

    private static final String ACTION = "action";
    private static final String CONFIRM = "confirm";
    private static final String CHOSEN = "chosen";
    private static final Set<String> CHANGES_OF_CHOSEN = Set.of("cancel", "deliver", "redrive", "discard");

    /** Value of the field for the length of a pause that keeps its current end. */
    private static final String KEEP = "keep";

    /** Parameter for the page to return to, unless that is the queue's page. */
    private static final String BACK = "back";

    private final QueueControl control;
    private final ControlChanges changes;

    public Changes(QueueControl control) {
        this.control = control;
        this.changes = new ControlChanges(control);
    }

    /** @return the address of the page; empty if the path names no change */
    public Optional<Address> make(ConsoleRequest request, List<String> segments) {
        Parameters fields =
                request.fields().without(request.hiddenFields().get().keySet()).without(Set.of(BACK));
        if (segments.size() == 3 && segments.get(2).equals(CHOSEN)) {
            return Optional.of(changeChosen(request, segments.get(1), fields));
        }
        boolean isBulk = segments.size() == 3 && segments.get(2).equals("bulk");
        List<String> path = isBulk ? List.of("queues", segments.get(1), fields.required(ACTION)) : segments;
        if (isBulk) {
            fields = fields.without(Set.of(ACTION));
            BulkPage.require(path.get(2), fields);
        }
        if (path.size() == 3 && path.get(2).equals("pause") && KEEP.equals(fields.text("for"))) {
            fields = withTheSameEnd(request.caller(), path.get(1), fields);
        }
        long counted = 0;
        if (segments.size() == 3 && segments.get(2).equals("run")) {
            Optional<OperationView> count = control.bulk().find(request.caller(), segments.get(1));
            counted = count.map(OperationView::matched).orElse(0L);
            String confirmed = fields.text(CONFIRM);
            count.filter(OperationsPage::deletesAll)
                    .filter(operation -> !operation.queue().equals(confirmed))
                    .ifPresent(operation -> {
                        throw new IllegalArgumentException("'Name of the queue' must be " + operation.queue()
                                + " before all of its counted tasks are deleted");
                    });
            fields = fields.without(Set.of(CONFIRM));
        }
        long matched = counted;
        Instant was = dueAt(request, path, fields.text("id"));
        return changes.make(request.caller(), path, fields)
                .map(change -> page(request, change, segments, matched))
                .map(page -> was == null
                        ? page
                        : page.with("was", was)
                                .with("is", afterwards(() -> dueAt(request, path, request.parameter("id")))));
    }

    /**
     * Makes the same change to each task whose checkbox is set, and returns the list that they were chosen from. If a
     * change fails, makes no further ones.
     */
    private Address changeChosen(ConsoleRequest request, String queue, Parameters fields) {
        String action = fields.required(ACTION);
        List<String> ids = fields.names().stream()
                .filter(name -> name.startsWith(CHOSEN + "-"))
                .sorted()
                .map(fields::required)
                .toList();
        if (!CHANGES_OF_CHOSEN.contains(action)) {
            throw new IllegalArgumentException("'action' must be cancel, deliver, redrive or discard");
        }
        if (ids.isEmpty()) {
            throw new IllegalArgumentException("Select at least one task");
        }
        long changed = 0;
        String end = "";
        for (String id : ids) {
            try {
                changed += changes.make(
                                request.caller(),
                                List.of("queues", queue, action),
                                new Parameters(Map.of("id", id), Map.of(), Instant.EPOCH))
                        .map(change -> change instanceof Done done ? done.count() : 0L)
                        .orElse(0L);
            } catch (IllegalArgumentException | DelayQueueException ex) {
                if (changed == 0) {
                    throw ex;
                }
                log.warn("Queue '{}': could change only {} of {} selected tasks", queue, changed, ids.size(), ex);
                end = "-part";
                break;
            }
        }
        return request.links()
                .tasks(queue)
                .with("state", fields.text("state"))
                .with(fields.filterAddress())
                .with("size", fields.text("size"))
                .with("after", fields.text("after"))
                .with("done", CHOSEN + "-" + action + end)
                .with("of", changed)
                .with("paused", waits(request.caller(), queue, action));
    }

    /** Replaces the choice to keep the end of the pause by the time that is left, by the clock of Redis. */
    private Parameters withTheSameEnd(Caller caller, String queue, Parameters fields) {
        QueuePause pause = control.queue(caller, queue).pause();
        if (pause == null) {
            throw new IllegalArgumentException("'Pause for' must be chosen again, because the pause has ended");
        }
        Map<String, String> values = new HashMap<>();
        fields.names().forEach(name -> values.put(name, fields.required(name)));
        values.remove("for");
        if (pause.until() != null) {
            values.put(
                    "for",
                    Duration.between(control.now(caller, queue), pause.until()).toString());
        }
        return new Parameters(values, Map.of(), Instant.EPOCH);
    }

    /** Reads more about a change that was made. Returns null if that fails, because the change was made anyway. */
    private static <T> @Nullable T afterwards(Supplier<@Nullable T> read) {
        try {
            return read.get();
        } catch (DelayQueueException ex) {
            log.debug("A change was made, but its result could not be read", ex);
            return null;
        }
    }

    /** Returns whether tasks that are due now wait until the queue is resumed, as far as the caller may know it. */
    private @Nullable String waits(Caller caller, String queue, String action) {
        boolean isDelivery = action.equals("deliver") || action.equals("redrive");
        QueueView home = isDelivery ? queueAfterwards(caller, queue) : null;
        return home != null && home.paused() ? "true" : null;
    }

    private @Nullable Instant endOfPause(Caller caller, String queue) {
        QueueView home = queueAfterwards(caller, queue);
        QueuePause pause = home == null ? null : home.pause();
        return pause == null ? null : pause.until();
    }

    private @Nullable QueueView queueAfterwards(Caller caller, String queue) {
        return afterwards(() -> control.permissions(caller, queue).contains(QueuePermission.READ)
                ? control.queue(caller, queue)
                : null);
    }

    /** Returns the due time before a reschedule, for the message about the change; null for other changes. */
    private @Nullable Instant dueAt(ConsoleRequest request, List<String> path, @Nullable String id) {
        if (id == null || path.size() != 3 || !path.get(2).equals("reschedule")) {
            return null;
        }
        boolean mayRead = control.permissions(request.caller(), path.get(1)).contains(QueuePermission.READ);
        return mayRead
                ? control.task(request.caller(), path.get(1), id)
                        .map(TaskDetails::dueAt)
                        .orElse(null)
                : null;
    }

    private Address page(ConsoleRequest request, Change change, List<String> segments, long counted) {
        Links links = request.links();
        if (change instanceof Steered steered) {
            Address operation = links.operation(steered.operation().handle());
            return segments.get(0).equals("operations")
                    ? operation.with("done", "operation-" + segments.get(2)).with("of", counted == 0 ? null : counted)
                    : operation;
        }
        Done done = (Done) change;
        if (done.id() != null) {
            return links.task(done.queue(), done.id())
                    .with("done", done.action() + "-" + done.outcome().toLowerCase(Locale.ROOT))
                    .with("paused", waits(request.caller(), done.queue(), done.action()));
        }
        if (done.action().endsWith("-key")) {
            return links.of(done.queue(), "keys")
                    .with("key", request.parameter("key"))
                    .with("done", done.action());
        }
        if (done.action().equals("redrive")) {
            return links.of(done.queue(), "reasons")
                    .with("done", "redrive-first")
                    .with("of", done.count())
                    .with("paused", waits(request.caller(), done.queue(), done.action()));
        }
        Address home = "queues".equals(request.parameter(BACK)) ? links.home() : links.queue(done.queue());
        boolean isPause = done.action().equals("pause");
        return home.with("done", done.outcome().equals("DONE") ? done.action() : done.action() + "-left")
                .with("which", done.queue())
                .with("is", isPause ? endOfPause(request.caller(), done.queue()) : null);
    }
}
