// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.control;

import io.delayqueue.annotation.TaskHeaders;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the request of a task said of when it may be delivered. Settings of its queue are not in it.
 *
 * @param expiresAfter how long it may be overdue when it is delivered
 * @param expiresAt the last moment at which it may be delivered, as it is due now
 */
public record TaskTiming(
        @Nullable Duration expiresAfter, @Nullable Instant expiresAt) {

    /** Null for a task whose request said nothing, or nothing that can be read. */
    static @Nullable TaskTiming of(Instant dueAt, Map<String, String> headers) {
        String millis = headers.get(TaskHeaders.EXPIRES_AFTER);
        if (millis == null || !millis.matches("\\d{1,15}")) {
            return null;
        }
        Duration expiresAfter = Duration.ofMillis(Long.parseLong(millis));
        return new TaskTiming(expiresAfter, dueAt.plus(expiresAfter));
    }
}
