// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.reconcile;

import io.delayqueue.ScheduleRequest;
import io.delayqueue.TaskState;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.admin.LiveTask;
import io.delayqueue.admin.LiveTaskPage;
import io.delayqueue.admin.LiveTaskPageRequest;
import io.delayqueue.admin.TaskPosition;
import io.delayqueue.jdbc.ReconcilePlace;
import io.delayqueue.jdbc.ReconcileRequest;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Looks through the queue for what should not be there. */
final class LeftOverPass {

    private final ReconcileRequest request;
    private final Comparison comparison;
    private final DelayQueueAdmin admin;
    private final Mending mending;
    private final Tally tally;

    LeftOverPass(ReconcileRequest request, Comparison comparison, DelayQueueAdmin admin, Mending mending, Tally tally) {
        this.request = request;
        this.comparison = comparison;
        this.admin = admin;
        this.mending = mending;
        this.tally = tally;
    }

    /** Until the end, or the end of a page during which the thread was interrupted. */
    void run() {
        LiveTaskPageRequest first =
                LiveTaskPageRequest.first(request.pageSize()).withIdPrefix(request.idPrefix());
        @Nullable TaskPosition from = tally.place().liveAfter();
        @Nullable LiveTaskPageRequest next = (from == null) ? first : first.after(from);
        while (next != null) {
            if (Tally.isInterrupted()) {
                return;
            }
            LiveTaskPage page = admin.liveTasks(request.queue(), next);
            if (!compare(page.tasks())) {
                return;
            }
            next = page.next().orElse(null);
            if (next != null) {
                tally.reached(new ReconcilePlace(true, tally.place().expectedAfter(), next.after()));
            }
        }
        tally.finished();
    }

    /** Returns false if the thread was interrupted before the page had its second look. */
    private boolean compare(List<LiveTask> page) {
        page.forEach(task -> tally.look());
        List<LiveTask> unexpected = withoutExpected(page);
        unexpected.stream().filter(task -> task.state() == TaskState.LEASED).forEach(task -> tally.underWay());
        List<LiveTask> waiting = unexpected.stream()
                .filter(task -> task.state() == TaskState.SCHEDULED)
                .toList();
        if (waiting.isEmpty()) {
            return !Tally.isInterrupted();
        }
        tally.settle();
        if (Tally.isInterrupted()) {
            return false;
        }
        for (LiveTask task : withoutExpected(waiting)) {
            comparison
                    .ofUnexpected(task.id(), task.dueAt())
                    .difference()
                    .ifPresent(difference -> tally.add(mending.mend(request, difference, null)));
        }
        return true;
    }

    private List<LiveTask> withoutExpected(List<LiveTask> tasks) {
        if (tasks.isEmpty()) {
            return tasks;
        }
        Set<String> expected = request
                .expected()
                .find(tasks.stream().map(LiveTask::id).toList())
                .stream()
                .map(ScheduleRequest::id)
                .collect(Collectors.toSet());
        return tasks.stream().filter(task -> !expected.contains(task.id())).toList();
    }
}
