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

    private final TaskPages pages;
    private final BulkChange change;
    private final SharedOperations shared;
    private final Consumer<OperationView> ended;

    private OperationRecord record;
    private boolean stop;
    private boolean lost;
    private @Nullable Thread thread;

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
        this.record = from.with(from.view().in(ProcessName.OWN).with(Status.STOPPED, null, null));
        this.pages = pages;
        this.change = change;
        this.shared = shared;
        this.ended = ended;
    }

    /** All that another process has to know. */
    synchronized OperationRecord record() {
        return record;
    }

    OperationView view() {
        return record().view();
    }

    String handle() {
        return view().handle();
    }

    BulkRequest request() {
        return record().request();
    }

    /** On whose behalf it runs. */
    String caller() {
        return record().caller();
    }

    boolean isRunning() {
        return view().status() == Status.RUNNING;
    }

    /** To be called before it is run. */
    synchronized void begin() {
        record = record.with(record.view().with(Status.RUNNING, null, null));
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
            log.warn(
                    "Operation {} on queue '{}' has failed and may be resumed",
                    handle(),
                    request().queue(),
                    ex);
            failure = ex.getMessage();
        } catch (Throwable ex) {
            log.error(
                    "Operation {} on queue '{}' has failed and may be resumed",
                    handle(),
                    request().queue(),
                    ex);
        } finally {
            end(end, failure);
        }
    }

    /** Also for one that has begun and never ran. Who sees that it has ended finds what was told of that. */
    void end(Status status, @Nullable String failure) {
        OperationRecord known = record();
        OperationRecord last = known.with(known.view().with(status, Instant.now(), failure));
        try {
            ended.accept(last.view());
        } finally {
            shared.end(last);
            synchronized (this) {
                thread = null;
                record = last;
            }
        }
    }

    private Status goOn() {
        BulkRequest request = request();
        TaskFilter chosen = choose();
        Instant dueAt = record().dueAt();
        int size = pageSize();
        while (!isToStop()) {
            OperationPut.Answer answer = shared.beat(record());
            if (answer != OperationPut.Answer.GO_ON) {
                lost = answer == OperationPut.Answer.LOST;
                return Status.STOPPED;
            }
            TaskPages.Page page = pages.read(request.queue(), request.action().of(), chosen, size, record().position());
            List<String> ids = page.tasks().stream()
                    .filter(task -> change.isFor(task, dueAt))
                    .map(TaskView::id)
                    .toList();
            long begin = System.nanoTime();
            BulkChange.Result result = request.dryRun() ? new BulkChange.Result(0, null) : change.apply(ids, dueAt);
            note(ids.size(), result, page.next());
            if (page.next() == null) {
                return Status.DONE;
            }
            keepPace(begin, result.done(), page.tasks().size() == size);
        }
        return Status.STOPPED;
    }

    /**
     * Returns the filter by which it goes: of dead tasks those that were dead when it began, as one that dies once more is behind
     * them, and would be found again. It and the due time stay the same when another process goes on.
     */
    private TaskFilter choose() {
        OperationRecord known = record();
        TaskFilter before = known.chosen();
        if (before != null) {
            return before;
        }
        BulkRequest request = known.request();
        TaskFilter chosen = request.action().of() == TaskState.DEAD
                ? pages.deadByNow(request.queue(), request.filter())
                : request.filter();
        Instant dueAt = change.dueTime();
        synchronized (this) {
            record = record.choosing(chosen, dueAt);
        }
        return chosen;
    }

    private int pageSize() {
        return request().dryRun()
                ? LARGEST_PAGE
                : Math.max(1, Math.min(LARGEST_PAGE, request().perSecond() / PAGES_PER_SECOND));
    }

    private synchronized boolean isToStop() {
        return stop || Thread.currentThread().isInterrupted();
    }

    /** Where some could not be changed the page is read again when the operation is resumed; those that were are gone. */
    private synchronized void note(int found, BulkChange.Result result, @Nullable PagePosition next) {
        DelayQueueException failure = result.error();
        if (failure != null) {
            record = record.with(record.view().counting(result.done(), result.done(), 0));
            throw failure;
        }
        long left = record.request().dryRun() ? 0 : found - result.done();
        record = record.with(record.view().counting(found, result.done(), left)).at(next);
    }

    /**
     * Waits until so many as were changed may have been since they began to be. Time in which nothing was changed is not made
     * up for; and a page that was not filled has cost many reads, so it takes a tenth of a second at least.
     */
    private void keepPace(long begin, long changed, boolean full) {
        long least = full && changed > 0 ? 0 : LEAST_PAUSE;
        long due = begin
                + Math.max(least, (long) ((double) changed / request().perSecond() * TimeUnit.SECONDS.toNanos(1)));
        for (long pause = due - System.nanoTime(); pause > 0 && !isToStop(); pause = due - System.nanoTime()) {
            LockSupport.parkNanos(pause);
        }
    }
}
