// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

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
 * An operation, with everything that another process needs to show and resume it.
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
     * @param chosen the effective filter, which may be narrower than that of the request; null before the first page
     * @param dueAt the time that decides which tasks to change; null if all tasks are changed, and before the first
     *     page
     * @param position start of the next page; null for the beginning
     */
    record Progress(
            @Nullable TaskFilter chosen,
            @Nullable Instant dueAt,
            @Nullable TaskPosition position,
            long matched,
            long done,
            long inFlight,
            long left) {

        private static final Progress NONE = new Progress(null, null, null, 0, 0, 0, 0);

        Progress choosing(TaskFilter chosen, @Nullable Instant dueAt) {
            return new Progress(chosen, dueAt, position, matched, done, inFlight, left);
        }

        Progress counting(long moreMatched, BulkChange.Result more, long moreLeft) {
            return new Progress(
                    chosen,
                    dueAt,
                    position,
                    matched + moreMatched,
                    done + more.done(),
                    inFlight + more.inFlight(),
                    left + moreLeft);
        }

        Progress at(@Nullable TaskPosition next) {
            return new Progress(chosen, dueAt, next, matched, done, inFlight, left);
        }
    }

    /**
     * Escapes non-ASCII characters, because ids that another program has stored may contain unpaired surrogates.
     * Rejects records with missing or unknown parts of the filter, because the operation would change more tasks than
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

    /** Returns the operation as resumed in this process by another caller. */
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

    /** Returns the operation as failed because its process is gone. */
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
                error);
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
