// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.control;

import io.delayqueue.DelayQueueException;
import io.delayqueue.TaskState;
import io.delayqueue.control.OperationView.Status;
import io.delayqueue.internal.input.ProcessName;
import io.delayqueue.internal.store.OperationPut;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run of an operation, on the thread that runs it: it changes all tasks that a filter names, a page after the other. It notes
 * how far it is, so that another run goes on there after it was stopped or has failed.
 */
final class BulkOperation implements Runnable {

    private static final Logger log = LoggerFactory.getLogger(BulkOperation.class);

    private static final int PAGE = 500;
    private static final long LONGEST_REST = TimeUnit.SECONDS.toNanos(1);

    private final TaskPages pages;
    private final BulkChange change;
    private final SharedOperations shared;
    private final Consumer<BulkOperation> ended;
    private final String runner = ProcessName.OWN.replace(':', '_') + "#"
            + UUID.randomUUID().toString().substring(0, 8);

    /** Written by the thread that runs it. */
    private volatile OperationRecord record;

    private volatile boolean stop;
    private boolean lost;

    /**
     * @param from where it goes on
     * @param shared where it notes how far it is
     * @param ended told of its end, before that is noted
     */
    BulkOperation(
            OperationRecord from,
            TaskPages pages,
            BulkChange change,
            SharedOperations shared,
            Consumer<BulkOperation> ended) {
        this.record = from.with(from.view().in(ProcessName.OWN).with(Status.RUNNING, null, null));
        this.pages = pages;
        this.change = change;
        this.shared = shared;
        this.ended = ended;
    }

    OperationRecord record() {
        return record;
    }

    OperationView view() {
        return record.view();
    }

    String handle() {
        return view().handle();
    }

    BulkRequest request() {
        return record.request();
    }

    /** On whose behalf it runs. */
    String caller() {
        return record.caller();
    }

    /** Names this run. */
    String runner() {
        return runner;
    }

    /** Ends it before the next page. */
    void stop() {
        stop = true;
    }

    @Override
    public void run() {
        Status end = Status.FAILED;
        String failure = "An error that is in the log";
        try {
            end = changeAll();
            failure = lost ? "Another process goes on with it" : null;
        } catch (DelayQueueException | IllegalArgumentException ex) {
            log.warn(
                    "Queue '{}': operation {} failed and may be resumed",
                    request().queue(),
                    handle(),
                    ex);
            failure = ex.getMessage();
        } catch (Throwable ex) {
            log.error(
                    "Queue '{}': operation {} failed and may be resumed",
                    request().queue(),
                    handle(),
                    ex);
        } finally {
            end(end, failure);
        }
    }

    /** To be called for one that was claimed and never ran, too. */
    void end(Status status, @Nullable String failure) {
        record = record.with(view().with(status, Instant.now(), failure));
        try {
            ended.accept(this);
        } finally {
            shared.end(this);
        }
    }

    private Status changeAll() {
        TaskFilter chosen = choose();
        while (!stop) {
            OperationPut.Answer answer = shared.beat(this);
            if (answer != OperationPut.Answer.GO_ON) {
                lost = answer == OperationPut.Answer.LOST;
                return Status.STOPPED;
            }
            long begin = System.nanoTime();
            if (!changePage(chosen)) {
                return Status.DONE;
            }
            rest(System.nanoTime() - begin);
        }
        return Status.STOPPED;
    }

    /**
     * Fixes what must stay the same when another run goes on: the moment at which it began, and the filter, which takes only tasks
     * that were dead then. A task that dies once more would be found again.
     */
    private TaskFilter choose() {
        TaskFilter before = record.chosen();
        if (before != null) {
            return before;
        }
        BulkRequest request = request();
        TaskFilter chosen = request.action().of() == TaskState.DEAD
                ? pages.deadByNow(request.queue(), request.filter())
                : request.filter();
        record = record.choosing(chosen, change.dueTime());
        return chosen;
    }

    /** Returns whether there is another page. */
    private boolean changePage(TaskFilter chosen) {
        BulkRequest request = request();
        TaskPages.Page page = pages.read(request.queue(), request.action().of(), chosen, PAGE, record.position());
        List<TaskView> found = page.tasks().stream()
                .filter(task -> change.isFor(task, record.dueAt()))
                .toList();
        BulkChange.Result result =
                request.dryRun() ? new BulkChange.Result(0, null) : change.apply(found, record.dueAt());
        note(found.size(), result, page.next());
        return page.next() != null;
    }

    /** If some tasks could not be changed, the next run reads the page again; those that were changed are gone. */
    private void note(int found, BulkChange.Result result, @Nullable PagePosition next) {
        DelayQueueException failure = result.error();
        if (failure != null) {
            record = record.with(view().counting(result.done(), result.done(), 0));
            throw failure;
        }
        long left = request().dryRun() ? 0 : found - result.done();
        record = record.with(view().counting(found, result.done(), left)).at(next);
    }

    /** Rests as long as the page took, so that Redis has time for others. */
    private static void rest(long pageNanos) {
        LockSupport.parkNanos(Math.min(pageNanos, LONGEST_REST));
    }
}
