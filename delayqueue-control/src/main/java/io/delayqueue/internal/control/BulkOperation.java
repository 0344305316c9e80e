// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import io.delayqueue.DelayQueueException;
import io.delayqueue.TaskState;
import io.delayqueue.control.BulkAction;
import io.delayqueue.control.OperationView.Status;
import io.delayqueue.control.TaskFilter;
import io.delayqueue.internal.admin.TaskPosition;
import io.delayqueue.internal.input.ProcessName;
import io.delayqueue.internal.store.OperationPut;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run of an operation, which changes all matching tasks page by page. It stores its progress in Redis, so another
 * run can continue if this one stops or fails.
 */
final class BulkOperation implements Runnable {

    private static final Logger log = LoggerFactory.getLogger(BulkOperation.class);

    private static final long BEAT_NANOS = Duration.ofSeconds(1).toNanos();

    private final TaskPages pages;
    private final ShiftWindows windows;
    private final BulkChange change;
    private final Erasure erasure;
    private final SharedOperations shared;
    private final Consumer<BulkOperation> atEnd;
    private final String runner = ProcessName.OWN.replace(':', '_') + "#"
            + UUID.randomUUID().toString().substring(0, 8);

    /** The current state. Written only by the run's thread. */
    private volatile OperationRecord record;

    private volatile boolean stop;
    private boolean lost;
    private long beatAt = System.nanoTime();

    /**
     * @param record the operation, recorded as running in this process
     * @param atEnd called at the end of the run, before the end is recorded in Redis
     */
    BulkOperation(
            OperationRecord record,
            TaskPages pages,
            ShiftWindows windows,
            BulkChange change,
            Erasure erasure,
            SharedOperations shared,
            Consumer<BulkOperation> atEnd) {
        this.record = record;
        this.pages = pages;
        this.windows = windows;
        this.change = change;
        this.erasure = erasure;
        this.shared = shared;
        this.atEnd = atEnd;
    }

    OperationRecord record() {
        return record;
    }

    String runner() {
        return runner;
    }

    void stop() {
        stop = true;
    }

    @Override
    public void run() {
        Status status = Status.FAILED;
        String failure = "Unexpected error; see the log";
        try {
            status = changeAll();
            failure = lost ? "Another process resumed the operation" : null;
        } catch (DelayQueueException | IllegalArgumentException ex) {
            log.warn("{} failed; you can resume it", what(), ex);
            failure = ex.getMessage();
        } catch (Throwable ex) {
            log.error("{} failed; you can resume it", what(), ex);
        } finally {
            end(status, failure);
        }
    }

    private String what() {
        return "Queue '" + record.request().queue() + "', operation " + record.handle();
    }

    /** Ends a run that may not have started. */
    void end(Status status, @Nullable String failure) {
        record = record.ended(status, Instant.now(), failure);
        try {
            atEnd.accept(this);
        } finally {
            shared.end(this);
        }
    }

    private Status changeAll() {
        String queue = record.request().queue();
        TaskFilter first = choose();
        TaskFilter chosen = first;
        while (chosen != null && !stop) {
            record = record.over(Math.max(pages.shards(queue), record.shards()));
            if (!goesOn()) {
                return Status.STOPPED;
            }
            if (change.isAhead()) {
                LockSupport.parkNanos(BEAT_NANOS);
                continue;
            }
            long begin = System.nanoTime();
            if (!changePage(chosen)) {
                chosen = following(chosen);
            }
            Scans.rest(begin);
        }
        boolean done = chosen == null && (!erases() || (goesOn() && eraseHistory()));
        if (done && pages.admin().sharding(queue).shards() < record.shards()) {
            throw missed(first);
        }
        return done ? Status.DONE : Status.STOPPED;
    }

    /** Makes the next run read all tasks again, unless it would move them again. */
    private DelayQueueException missed(@Nullable TaskFilter first) {
        boolean repeats = shift() == null;
        record = repeats ? record.restarted(first) : record;
        return new DelayQueueException(
                "While the operation ran, tasks moved to fewer shards, so it may have missed some"
                        + " of them. "
                        + (repeats
                                ? "Resume it when the migration is complete"
                                : "Read the due times before you move more"));
    }

    /** Records the progress. Returns whether the run may continue. */
    private boolean goesOn() {
        beatAt = System.nanoTime();
        OperationPut.Answer answer = shared.beat(this);
        lost = answer == OperationPut.Answer.LOST;
        return answer == OperationPut.Answer.GO_ON;
    }

    /**
     * Returns the filter of the run; null if no tasks match. For dead tasks, it selects those that are dead when the
     * first run reaches them, so that tasks that die again are not processed twice. Later runs use the same filter and
     * time. A shift begins with one of its periods.
     */
    private @Nullable TaskFilter choose() {
        TaskFilter before = record.progress().chosen();
        if (before != null) {
            return before;
        }
        BulkRequest request = record.request();
        if (shift() != null) {
            return following(null);
        }
        int phase = record.progress().phase();
        if (phase == request.action().of().size()) {
            return null;
        }
        // A schedule in the outbox must not create a task again behind the erasure.
        if (phase == 0
                && request.action() == BulkAction.ERASE
                && !erasure.outbox(request, rows -> goesOn(record.progress().erasedRows(rows)))) {
            stop = true;
            return request.filter(); // not recorded, so the next run erases the rest of the outbox
        }
        TaskFilter chosen =
                state() == TaskState.DEAD ? pages.deadByNow(request.queue(), request.filter()) : request.filter();
        record = record.with(record.progress().choosing(chosen, change.dueTime()));
        return chosen;
    }

    /** Returns the shift of the due times; null for other actions and dry runs. */
    private @Nullable Duration shift() {
        return record.request().dryRun() ? null : record.request().by();
    }

    private boolean erases() {
        return record.request().action() == BulkAction.ERASE
                && !record.request().dryRun();
    }

    private TaskState state() {
        return record.request().action().of().get(record.progress().phase());
    }

    /** Returns the next period of a shift, or else the filter for the next state; null at the end of the operation. */
    private @Nullable TaskFilter following(@Nullable TaskFilter last) {
        Duration by = shift();
        if (by == null) {
            record = record.with(record.progress().inNextPhase());
            return choose();
        }
        TaskFilter next =
                windows.next(record.request().queue(), record.request().filter(), last, by);
        if (next != null) {
            record = record.with(record.progress().choosing(next, null).at(null));
        }
        return next;
    }

    /** Returns whether there is another page. */
    private boolean changePage(TaskFilter chosen) {
        BulkRequest request = record.request();
        Instant dueAt = record.progress().dueAt();
        TaskPages.Page page = pages.read(
                request.queue(),
                state(),
                chosen,
                false,
                change.pageSize(),
                record.progress().position());
        List<TaskView> found =
                page.tasks().stream().filter(task -> change.isFor(task, dueAt)).toList();
        if (state() == TaskState.LEASED) {
            record = record.with(record.progress().notErased(found.size()).at(page.next()));
            return page.next() != null;
        }
        BulkChange.Result result =
                request.dryRun() || found.isEmpty() ? BulkChange.Result.NONE : change.apply(found, dueAt);
        note(found.size(), result, page.next());
        return page.next() != null;
    }

    /** Deletes history entries. Returns false if the run must end before. */
    private boolean eraseHistory() {
        return erasure.history(
                record.request(), deleted -> goesOn(record.progress().erasedEntries(deleted)));
    }

    /** Notes progress, and records it once a second. Returns whether the run may continue. */
    private boolean goesOn(OperationRecord.Progress progress) {
        record = record.with(progress);
        return !stop && (System.nanoTime() - beatAt < BEAT_NANOS || goesOn());
    }

    /**
     * Records the result of a page. If some tasks could not be changed, the next run reads the page again and no longer
     * finds the changed tasks.
     */
    private void note(int found, BulkChange.Result result, @Nullable TaskPosition next) {
        DelayQueueException failure = result.error();
        if (failure != null) {
            record = record.with(record.progress().counting(result.done(), result, 0));
            throw failure;
        }
        long left = record.request().dryRun() ? 0 : found - result.done();
        record = record.with(record.progress().counting(found, result, left).at(next));
    }
}
