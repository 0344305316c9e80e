// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import io.delayqueue.DelayQueueException;
import io.delayqueue.FailedAttempt;
import io.delayqueue.HistoryEntry;
import io.delayqueue.TaskState;
import io.delayqueue.TaskStoreException;
import io.delayqueue.control.Caller;
import io.delayqueue.control.QueuePermission;
import io.delayqueue.internal.console.html.Links;
import io.delayqueue.internal.console.html.Moments;
import io.delayqueue.internal.console.html.Numbers;
import io.delayqueue.internal.console.html.View;
import io.delayqueue.internal.console.request.ConsoleRequest;
import io.delayqueue.internal.control.QueueControl;
import io.delayqueue.internal.control.QueueView;
import io.delayqueue.internal.control.TaskDetails;
import io.delayqueue.internal.control.TaskTiming;
import io.delayqueue.internal.queue.QueueCatalog;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One task. */
record TaskPageView(QueueControl control, QueueCatalog catalog) {

    /** Events of the history after a failed attempt. */
    private static final Set<String> FAILURES = Set.of("retried", "dead");

    /** Maximum difference between the times that Redis gives the same failure in the task and in the history. */
    private static final Duration TOLERANCE = Duration.ofSeconds(1);

    Page show(ConsoleRequest request, String queue) {
        String id = request.fields().required("id");
        QueueView home = control.queue(request.caller(), queue);
        Optional<TaskDetails> found = control.task(request.caller(), queue, id);
        View view = View.of("queue", queue)
                .with("id", id)
                .with("isThere", found.isPresent())
                .with("historyAt", request.moments().view(request.now()))
                .with("operates", false);
        List<FailedAttempt> failed = found.map(TaskDetails::failedAttempts).orElse(List.of());
        history(view, request, queue, id, failed);
        found.ifPresent(task -> {
            String most = most(request.caller(), task);
            view.with(
                            "story",
                            new TaskStory(request.moments(), most).of(task, home, limit(request.caller(), task, home)))
                    .with("attempts", TaskRows.attempts(task.failures(), task.leaseExpiries(), most));
            describe(view, request, task, home);
        });
        return new Page("Task " + id, "task", view, List.of("task-facts", "task-actions", "task-history"))
                .below(request.links().homeCrumb(), request.links().queueCrumb(queue));
    }

    /**
     * Adds the history with the failed attempts, each once. Reads the history only when a page is opened, because it may
     * be long; an open page keeps what it has. The task is shown even if its history cannot be read.
     */
    private void history(View view, ConsoleRequest request, String queue, String id, List<FailedAttempt> failed) {
        List<HistoryEntry> entries = new ArrayList<>();
        String trouble = null;
        try {
            if (!request.isRenewal()) {
                entries.addAll(control.history(request.caller(), queue, id));
            }
        } catch (DelayQueueException ex) {
            trouble = String.valueOf(ex.getMessage());
        }
        boolean keepsHistory = !entries.isEmpty() || trouble != null;
        entries.addAll(missing(failed, entries));
        entries.sort(Comparator.comparing(HistoryEntry::at));
        view.with("keepsHistory", keepsHistory)
                .with(
                        "history",
                        entries.stream()
                                .map(entry -> View.of("at", request.moments().view(entry.at()))
                                        .with("event", entry.event())
                                        .with("reason", entry.reason())
                                        .with("process", entry.process()))
                                .toList())
                .with("hasHistory", !entries.isEmpty() || trouble != null)
                .with("historyTrouble", trouble);
    }

    /** Returns the failed attempts that the history does not contain. It records a lost lease later than the task. */
    private static List<HistoryEntry> missing(List<FailedAttempt> failed, List<HistoryEntry> history) {
        Deque<HistoryEntry> known = history.stream()
                .filter(entry -> FAILURES.contains(entry.event()))
                .collect(Collectors.toCollection(ArrayDeque::new));
        List<HistoryEntry> missing = new ArrayList<>();
        for (int i = failed.size() - 1; i >= 0; i--) {
            FailedAttempt attempt = failed.get(i);
            HistoryEntry latest = known.peekLast();
            if (latest != null && !latest.at().isBefore(attempt.at().minus(TOLERANCE))) {
                known.removeLast();
            } else {
                missing.add(new HistoryEntry(attempt.at(), "failed", attempt.reason(), null));
            }
        }
        return missing;
    }

    /** Returns the limit of the task's key while the queue holds tasks back; null for none. */
    private @Nullable String limit(Caller caller, TaskDetails task, QueueView home) {
        String key = task.key();
        return key == null || home.heldBack() == 0
                ? null
                : LimitWords.ofKey(catalog.get(task.queue()).limits(), control.key(caller, task.queue(), key));
    }

    /** Returns the maximum number of attempts, such as {@code " of 10"}; empty if it is unknown. */
    private String most(Caller caller, TaskDetails task) {
        try {
            return task.failures() == 0
                    ? ""
                    : control.maxAttempts(caller, task.queue())
                            .map(most -> " of " + most)
                            .orElse("");
        } catch (TaskStoreException ex) {
            return "";
        }
    }

    private static void describe(View view, ConsoleRequest request, TaskDetails task, QueueView home) {
        Links links = request.links();
        Moments moments = request.moments();
        TaskDetails.Payload payload = task.payload();
        view.with("state", TaskRows.state(task.state()))
                .with("stateTone", task.state() == TaskState.DEAD ? "bad" : "")
                .with("dueAt", moments.view(task.dueAt()))
                .with("group", task.group())
                .with(
                        "groupLink",
                        links.tasks(task.queue()).with("key", task.key()).with("group", task.group()))
                .with("key", task.key())
                .with("keyLink", links.of(task.queue(), "keys").with("key", task.key()))
                .with("timing", timing(task, moments))
                .with("lastReason", task.lastReason())
                .with("stackTrace", task.stackTrace())
                .with("holder", task.holder())
                .with("headers", headers(task.headers()))
                .with("hasHeaders", !task.headers().isEmpty())
                .with("contentType", payload.contentType())
                .with("size", Numbers.of(payload.size(), "byte"))
                .with("payload", payload.text())
                .with("hidden", payload.hidden())
                .with("operates", home.permissions().contains(QueuePermission.OPERATE))
                .with("isLive", task.state() != TaskState.DEAD)
                .with("isDead", task.state() == TaskState.DEAD);
        for (String action : new String[] {"cancel", "reschedule", "deliver", "redrive", "discard"}) {
            view.with(action + "Link", links.of(task.queue(), action).with("id", task.id()));
        }
    }

    private static @Nullable View timing(TaskDetails task, Moments moments) {
        TaskTiming timing = task.timing();
        return timing == null
                ? null
                : View.of("expires", TimingWords.expiry(timing))
                        .with("expiresAt", moments.view(timing.expiresAt()))
                        .with("window", TimingWords.window(timing))
                        .with("localTime", TimingWords.localTime(timing));
    }

    private static List<View> headers(Map<String, String> headers) {
        return headers.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(header -> View.of("name", header.getKey()).with("value", header.getValue()))
                .toList();
    }
}
