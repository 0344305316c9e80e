// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import io.delayqueue.control.BulkAction;
import io.delayqueue.control.OperationView;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An operation as callers see it, also as JSON. */
public record ShownOperation(
        String handle,
        String process,
        String queue,
        BulkAction action,
        Map<String, String> filter,
        boolean dryRun,
        Status status,
        long matched,
        long done,
        long inFlight,
        long left,
        String by,
        Instant startedAt,
        @Nullable Instant endedAt,
        @Nullable String error)
        implements OperationView {}
