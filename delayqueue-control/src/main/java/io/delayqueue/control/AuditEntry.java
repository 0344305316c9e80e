// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.control;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A change that a caller made or was refused. Its texts are printable and bounded, and it never contains a payload.
 *
 * @param at time when it ended
 * @param who name of the caller
 * @param action such as {@code cancel}, {@code pause} or {@code operation-redrive}
 * @param queue the queue
 * @param details what was requested: an id, a filter, a due time, a rate
 * @param outcome the result, such as {@code CANCELLED}, {@code refused}, or {@code failed} with the reason
 * @param count number of changed tasks
 */
public record AuditEntry(
        Instant at, String who, String action, String queue, Map<String, String> details, String outcome, long count) {

    public AuditEntry {
        details = Collections.unmodifiableMap(new LinkedHashMap<>(details));
    }
}
