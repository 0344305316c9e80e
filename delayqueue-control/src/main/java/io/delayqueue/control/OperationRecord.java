// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.control;

import io.delayqueue.control.OperationView.Status;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * All that another process has to know of an operation to show it and to go on with it.
 *
 * @param resumedBy who has resumed it last; null where nobody has
 * @param chosen the filter by which it goes, which may be narrower than the request's; null before it has begun
 * @param dueAt the due time that it gives to tasks; null where it gives none, and before it has begun
 * @param position where it goes on; null for the beginning
 */
record OperationRecord(
        BulkRequest request,
        OperationView view,
        @Nullable String resumedBy,
        @Nullable TaskFilter chosen,
        @Nullable Instant dueAt,
        @Nullable PagePosition position) {

    /**
     * Escapes what is not ASCII, as ids that something else has left in Redis may hold half characters. Refuses a text without a
     * part of the filter, or with a part that this version does not know: the operation would go on with more tasks than were
     * asked for.
     */
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .build();

    /** One that has not begun. */
    static OperationRecord of(BulkRequest request, String by, Instant startedAt) {
        OperationView view = new OperationView(
                UUID.randomUUID().toString(),
                "",
                request.queue(),
                request.action(),
                request.asText(),
                request.dryRun(),
                Status.STOPPED,
                0,
                0,
                0,
                by,
                startedAt,
                null,
                null);
        return new OperationRecord(request, view, null, null, null, null);
    }

    /** On whose behalf it runs, or ran last. */
    String caller() {
        return resumedBy == null ? view.by() : resumedBy;
    }

    /** The same, which somebody else lets go on. */
    OperationRecord resumedBy(Caller caller) {
        return new OperationRecord(request, view, caller.name(), chosen, dueAt, position);
    }

    /** The same, which goes by this filter and due time. */
    OperationRecord choosing(TaskFilter chosen, @Nullable Instant dueAt) {
        return new OperationRecord(request, view, resumedBy, chosen, dueAt, position);
    }

    OperationRecord with(OperationView view) {
        return new OperationRecord(request, view, resumedBy, chosen, dueAt, position);
    }

    OperationRecord at(@Nullable PagePosition position) {
        return new OperationRecord(request, view, resumedBy, chosen, dueAt, position);
    }

    /** The same, of an operation whose process is gone. */
    OperationRecord abandoned() {
        return with(view.with(
                Status.FAILED,
                view.endedAt(),
                "Process " + view.process() + " has not been heard of lately. The operation may be resumed"));
    }

    String asText() {
        return JSON.writeValueAsString(this);
    }

    /** Returns null for a text that no process of this version wrote. */
    static @Nullable OperationRecord parse(String handle, String text) {
        try {
            OperationRecord read = JSON.readValue(text, OperationRecord.class);
            boolean isComplete = read.request != null && read.view != null && handle.equals(read.view.handle());
            return isComplete ? read : null;
        } catch (JacksonException ex) {
            return null;
        }
    }
}
