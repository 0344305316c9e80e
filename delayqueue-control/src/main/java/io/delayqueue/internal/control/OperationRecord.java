// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import io.delayqueue.control.BulkAction;
import io.delayqueue.control.Caller;
import io.delayqueue.control.OperationView;
import io.delayqueue.control.OperationView.Status;
import io.delayqueue.control.TaskFilter;
import io.delayqueue.internal.admin.TaskPosition;
import io.delayqueue.internal.input.ProcessName;
import java.time.Instant;
import java.util.List;
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
        @Nullable String error) {

    /**
     * The progress of an operation.
     *
     * @param phase number of the present state in {@link io.delayqueue.control.BulkAction#of}; at the end the number of
     *     these states
     * @param chosen the effective filter, which may be narrower than that of the request; null before the first page
     * @param dueAt the time that decides which tasks to change; null to change all tasks, and before the first page
     * @param position start of the next page; null for the beginning
     * @param erasing ids of the page that is being erased; a run that dies leaves them to the next one
     * @param erased what an erasure has deleted, and the tasks in progress
     */
    record Progress(
            int phase,
            @Nullable TaskFilter chosen,
            @Nullable Instant dueAt,
            @Nullable TaskPosition position,
            long matched,
            long done,
            long inFlight,
            long left,
            List<String> erasing,
            Erased erased) {

        private static final Progress NONE =
                new Progress(0, null, null, null, 0, 0, 0, 0, List.of(), new Erased(0, 0, 0, 0));

        /** Returns the progress at the beginning of the next state. */
        Progress inNextPhase() {
            return new Progress(phase + 1, null, null, null, matched, done, inFlight, left, erasing, erased);
        }

        Progress choosing(TaskFilter chosen, @Nullable Instant dueAt) {
            return new Progress(phase, chosen, dueAt, position, matched, done, inFlight, left, erasing, erased);
        }

        Progress counting(long moreMatched, BulkChange.Result more, long moreLeft) {
            return new Progress(
                    phase,
                    chosen,
                    dueAt,
                    position,
                    matched + moreMatched,
                    done + more.done(),
                    inFlight + more.inFlight(),
                    left + moreLeft,
                    erasing,
                    erased);
        }

        Progress at(@Nullable TaskPosition next) {
            return new Progress(phase, chosen, dueAt, next, matched, done, inFlight, left, erasing, erased);
        }

        Progress erasing(List<String> ids) {
            return new Progress(phase, chosen, dueAt, position, matched, done, inFlight, left, ids, erased);
        }

        Progress erased(long inProgress, long historyEntries, long outboxRows, long operations) {
            Erased sum = new Erased(
                    erased.inProgress + inProgress,
                    erased.historyEntries + historyEntries,
                    erased.outboxRows + outboxRows,
                    erased.operations + operations);
            return new Progress(phase, chosen, dueAt, position, matched, done, inFlight, left, erasing, sum);
        }
    }

    /** The counts of {@link OperationView.Erased}. */
    record Erased(long inProgress, long historyEntries, long outboxRows, long operations) {}

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
                handle, request, by, startedAt, by, ProcessName.OWN, Progress.NONE, Status.RUNNING, null, null);
    }

    /** Returns the operation, resumed in this process by the given caller. */
    OperationRecord resumedBy(Caller resumer) {
        return new OperationRecord(
                handle, request, by, startedAt, resumer.name(), ProcessName.OWN, progress, Status.RUNNING, null, null);
    }

    OperationRecord with(Progress progress) {
        return new OperationRecord(handle, request, by, startedAt, caller, process, progress, status, endedAt, error);
    }

    OperationRecord ended(Status status, @Nullable Instant endedAt, @Nullable String error) {
        return new OperationRecord(handle, request, by, startedAt, caller, process, progress, status, endedAt, error);
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
                progress.matched(),
                progress.done(),
                progress.inFlight(),
                progress.left(),
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
                counts.operations(),
                Erasure.remains(request));
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
