// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.control;

import io.delayqueue.DelayQueueException;
import io.delayqueue.TaskState;
import io.delayqueue.control.OperationView.Status;
import io.delayqueue.internal.input.ProcessName;
import io.delayqueue.internal.store.OperationPut;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does something to all tasks that a filter names, a page after the other at a pace, on the thread that runs it. It knows how
 * far it is, so that it goes on there after it was stopped or has failed. Safe for use by many threads.
 */
final class BulkOperation implements Runnable {

    private static final Logger log = LoggerFactory.getLogger(BulkOperation.class);

    private static final int LARGEST_PAGE = 500;
    /** A page is what the pace allows in that part of a second. */
    private static final int PAGES_PER_SECOND = 10;

    private static final long LEAST_PAUSE = TimeUnit.SECONDS.toNanos(1) / PAGES_PER_SECOND;

    private final String handle;
    private final BulkRequest request;
    private final String by;
    private final Instant startedAt;
    private final @Nullable String resumedBy;
    private final String caller;
    private final TaskPages pages;
    private final BulkChange change;
    private final SharedOperations shared;
    private final Consumer<OperationView> ended;

    private Status status = Status.STOPPED;
    private boolean stop;
    private long matched;
    private long done;
    private long left;
    private @Nullable TaskFilter filter;
    private @Nullable Instant dueAt;
    private @Nullable PagePosition position;
    private @Nullable Instant endedAt;
    private @Nullable String error;
    private @Nullable Thread thread;
    private boolean lost;

    /**
     * One that does not run yet.
     *
     * @param from where it goes on
     * @param shared where it notes how far it is
     * @param ended told of each end, also of one after which it may be resumed
     */
    BulkOperation(
            OperationRecord from,
            TaskPages pages,
            BulkChange change,
            SharedOperations shared,
            Consumer<OperationView> ended) {
        this.handle = from.view().handle();
        this.request = from.request();
        this.by = from.view().by();
        this.startedAt = from.view().startedAt();
        this.matched = from.view().matched();
        this.done = from.view().done();
        this.left = from.view().left();
        this.resumedBy = from.resumedBy();
        this.caller = from.caller();
        this.filter = from.chosen();
        this.dueAt = from.dueAt();
        this.position = from.position();
        this.pages = pages;
        this.change = change;
        this.shared = shared;
        this.ended = ended;
    }

    String handle() {
        return handle;
    }

    BulkRequest request() {
        return request;
    }

    /** On whose behalf it runs. */
    String caller() {
        return caller;
    }

    /** False where it runs or has nothing left to do. */
    synchronized boolean mayBegin() {
        return status == Status.STOPPED || status == Status.FAILED;
    }

    /** To be called before it is run, where it may begin. */
    synchronized void begin() {
        status = Status.RUNNING;
        stop = false;
        lost = false;
        endedAt = null;
        error = null;
    }

    /** Lets it end before the next page. */
    synchronized void stop() {
        stop = true;
        LockSupport.unpark(thread);
    }

    @Override
    public void run() {
        synchronized (this) {
            thread = Thread.currentThread();
        }
        Status end = Status.FAILED;
        String failure = "An error that is in the log";
        try {
            end = goOn();
            failure = lost ? "Another process goes on with it" : null;
        } catch (DelayQueueException | IllegalArgumentException ex) {
            log.warn("Operation {} on queue '{}' has failed and may be resumed", handle, request.queue(), ex);
            failure = ex.getMessage();
        } catch (Throwable ex) {
            log.error("Operation {} on queue '{}' has failed and may be resumed", handle, request.queue(), ex);
        } finally {
            end(end, failure);
        }
    }

    /** Also for one that has begun and never ran. Who sees that it has ended finds what was told of that. */
    void end(Status end, @Nullable String failure) {
        Instant now = Instant.now();
        try {
            ended.accept(view(end, now, failure));
        } finally {
            shared.end(record(view(end, now, failure)));
            synchronized (this) {
                thread = null;
                status = end;
                error = failure;
                endedAt = now;
            }
        }
    }

    private Status goOn() {
        TaskFilter chosen = filter();
        Instant dueTime = dueTime();
        int size = pageSize();
        while (!isToStop()) {
            OperationPut.Answer answer = shared.beat(record());
            if (answer != OperationPut.Answer.GO_ON) {
                lost = answer == OperationPut.Answer.LOST;
                return Status.STOPPED;
            }
            TaskPages.Page page = pages.read(request.queue(), request.action().of(), chosen, size, position());
            List<String> ids = page.tasks().stream()
                    .filter(task -> change.isFor(task, dueTime))
                    .map(TaskView::id)
                    .toList();
            long begin = System.nanoTime();
            BulkChange.Result result = request.dryRun() ? new BulkChange.Result(0, null) : change.apply(ids, dueTime);
            note(ids.size(), result, page.next());
            if (page.next() == null) {
                return Status.DONE;
            }
            keepPace(begin, result.done(), page.tasks().size() == size);
        }
        return Status.STOPPED;
    }

    /** Of dead tasks those that were dead when it began: one that dies once more is behind them, and would be found again. */
    private TaskFilter filter() {
        TaskFilter chosen = filter;
        if (chosen == null) {
            chosen = request.action().of() == TaskState.DEAD
                    ? pages.deadByNow(request.queue(), request.filter())
                    : request.filter();
            filter = chosen;
        }
        return chosen;
    }

    /** The same for all tasks, also when another process goes on. */
    private @Nullable Instant dueTime() {
        Instant known = dueAt;
        if (known == null) {
            known = change.dueTime();
            dueAt = known;
        }
        return known;
    }

    private int pageSize() {
        return request.dryRun()
                ? LARGEST_PAGE
                : Math.max(1, Math.min(LARGEST_PAGE, request.perSecond() / PAGES_PER_SECOND));
    }

    private synchronized boolean isToStop() {
        return stop || Thread.currentThread().isInterrupted();
    }

    private synchronized @Nullable PagePosition position() {
        return position;
    }

    /** Where some could not be changed the page is read again when the operation is resumed; those that were are gone. */
    private synchronized void note(int found, BulkChange.Result result, @Nullable PagePosition next) {
        done += result.done();
        DelayQueueException failure = result.error();
        if (failure != null) {
            matched += result.done();
            throw failure;
        }
        matched += found;
        left += request.dryRun() ? 0 : found - result.done();
        position = next;
    }

    /**
     * Waits until so many as were changed may have been since they began to be. Time in which nothing was changed is not made
     * up for; and a page that was not filled has cost many reads, so it takes a tenth of a second at least.
     */
    private void keepPace(long begin, long changed, boolean full) {
        long least = full && changed > 0 ? 0 : LEAST_PAUSE;
        long due =
                begin + Math.max(least, (long) ((double) changed / request.perSecond() * TimeUnit.SECONDS.toNanos(1)));
        for (long pause = due - System.nanoTime(); pause > 0 && !isToStop(); pause = due - System.nanoTime()) {
            LockSupport.parkNanos(pause);
        }
    }

    synchronized OperationView view() {
        return view(status, endedAt, error);
    }

    private synchronized OperationView view(Status status, @Nullable Instant endedAt, @Nullable String error) {
        return OperationRecord.view(
                handle,
                ProcessName.OWN,
                request,
                status,
                new OperationRecord.Counts(matched, done, left),
                by,
                startedAt,
                endedAt,
                error);
    }

    /** All that another process has to know. */
    OperationRecord record() {
        return record(view());
    }

    private synchronized OperationRecord record(OperationView view) {
        return new OperationRecord(request, view, resumedBy, filter, dueAt, position);
    }

    synchronized boolean isRunning() {
        return status == Status.RUNNING;
    }
}
