// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import io.delayqueue.TaskState;
import io.delayqueue.control.BulkAction;
import io.delayqueue.control.Caller;
import io.delayqueue.control.OperationView;
import io.delayqueue.control.OperationView.Status;
import io.delayqueue.control.TaskFilter;
import io.delayqueue.internal.admin.TaskPosition;
import io.delayqueue.internal.input.ProcessName;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * An operation with all the information that another process needs to show and resume it.
 *
 * @param by the caller who started it
 * @param caller the caller who last started or resumed it
 * @param process the process that runs it or last ran it
 * @param shards most shards that had tasks before a page was read; 0 before the first run
 */
record OperationRecord(
        String handle,
        BulkRequest request,
        String by,
        Instant startedAt,
        String caller,
        String process,
        Progress progress,
        Status status,
        @Nullable Instant endedAt,
        @Nullable String error,
        int shards) {

    /**
     * The progress of an operation.
     *
     * @param phase number of the present state in {@link io.delayqueue.control.BulkAction#of}; at the end the number of
     *     these states
     * @param chosen the effective filter, which may be narrower than that of the request; null before the first page
     * @param dueAt the time that decides which tasks to change; null to change all tasks, and before the first page
     * @param position start of the next page; null for the beginning
     * @param erased what an erasure has deleted, and the tasks in progress
     */
    record Progress(
            int phase,
            @Nullable TaskFilter chosen,
            @Nullable Instant dueAt,
            @Nullable TaskPosition position,
            Counts counts,
            Erased erased) {

        private static final Progress NONE =
                new Progress(0, null, null, null, new Counts(0, 0, 0, 0), new Erased(0, 0, 0, false));

        /** Returns the progress at the beginning of the next state. */
        Progress inNextPhase() {
            return new Progress(phase + 1, null, null, null, counts, erased);
        }

        Progress choosing(TaskFilter chosen, @Nullable Instant dueAt) {
            return new Progress(phase, chosen, dueAt, position, counts, erased);
        }

        Progress counting(long moreMatched, BulkChange.Result more, long moreLeft) {
            Counts sum = new Counts(
                    counts.matched + moreMatched,
                    counts.done + more.done(),
                    counts.inFlight + more.inFlight(),
                    counts.left + moreLeft);
            return new Progress(phase, chosen, dueAt, position, sum, erased);
        }

        Progress at(@Nullable TaskPosition next) {
            return new Progress(phase, chosen, dueAt, next, counts, erased);
        }

        Progress notErased(long inProgress) {
            return with(new Erased(
                    erased.inProgress + inProgress, erased.historyEntries, erased.outboxRows, erased.outboxReached));
        }

        Progress erasedEntries(long entries) {
            return with(new Erased(
                    erased.inProgress, erased.historyEntries + entries, erased.outboxRows, erased.outboxReached));
        }

        Progress erasedRows(long rows) {
            return with(new Erased(erased.inProgress, erased.historyEntries, erased.outboxRows + rows, true));
        }

        private Progress with(Erased erased) {
            return new Progress(phase, chosen, dueAt, position, counts, erased);
        }
    }

    /** The counts of {@link OperationView}. */
    record Counts(long matched, long done, long inFlight, long left) {}

    /** The counts of {@link OperationView.Erased}, and whether a run had an outbox. */
    record Erased(long inProgress, long historyEntries, long outboxRows, boolean outboxReached) {}

    /**
     * Escapes non-ASCII characters, because ids stored by other programs may contain unpaired surrogates. Rejects a
     * record if parts of its filter are missing or unknown; otherwise the operation would change more tasks than
     * requested.
     */
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .build();

    /** Returns a new operation that this process runs. */
    static OperationRecord of(String handle, BulkRequest request, String by, Instant startedAt) {
        return new OperationRecord(
                handle, request, by, startedAt, by, ProcessName.OWN, Progress.NONE, Status.RUNNING, null, null, 0);
    }

    /** Returns the operation, resumed in this process by the given caller. */
    OperationRecord resumedBy(Caller resumer) {
        return new OperationRecord(
                handle,
                request,
                by,
                startedAt,
                resumer.name(),
                ProcessName.OWN,
                progress,
                Status.RUNNING,
                null,
                null,
                shards);
    }

    OperationRecord with(Progress progress) {
        return new OperationRecord(
                handle, request, by, startedAt, caller, process, progress, status, endedAt, error, shards);
    }

    OperationRecord over(int shards) {
        return new OperationRecord(
                handle, request, by, startedAt, caller, process, progress, status, endedAt, error, shards);
    }

    /**
     * Returns the operation so that its next run begins anew.
     *
     * @param first the effective filter at the beginning, which a redrive and a discard keep because of its time
     */
    OperationRecord restarted(@Nullable TaskFilter first) {
        Counts counts = request.dryRun() ? Progress.NONE.counts : progress.counts;
        TaskFilter chosen = request.action().of().get(0) == TaskState.DEAD ? first : null;
        return with(new Progress(0, chosen, null, null, counts, progress.erased))
                .over(0);
    }

    OperationRecord ended(Status status, @Nullable Instant endedAt, @Nullable String error) {
        return new OperationRecord(
                handle, request, by, startedAt, caller, process, progress, status, endedAt, error, shards);
    }

    /** Returns the operation as failed because its process no longer runs it. */
    OperationRecord abandoned() {
        return ended(
                Status.FAILED,
                null,
                "Process " + process + " has sent no heartbeat recently. You can resume the operation");
    }

    OperationView view() {
        return new OperationView(
                handle,
                process,
                request.queue(),
                request.action(),
                request.asText(),
                request.dryRun(),
                status,
                progress.counts().matched(),
                progress.counts().done(),
                progress.counts().inFlight(),
                progress.counts().left(),
                by,
                startedAt,
                endedAt,
                error,
                request.action() == BulkAction.ERASE ? erased() : null);
    }

    private OperationView.Erased erased() {
        Erased counts = progress.erased();
        return new OperationView.Erased(
                counts.inProgress(),
                counts.historyEntries(),
                counts.outboxRows(),
                Erasure.remains(counts.outboxReached()));
    }

    String asText() {
        return JSON.writeValueAsString(this);
    }

    /** Parses a record; returns null if it has another format. */
    static @Nullable OperationRecord parse(String handle, String text) {
        try {
            OperationRecord read = JSON.readValue(text, OperationRecord.class);
            boolean isComplete = read.request != null && read.progress != null && handle.equals(read.handle);
            return isComplete ? read : null;
        } catch (JacksonException ex) {
            return null;
        }
    }
}
