// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.control;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What somebody has changed, or was refused. Its texts are printable and bounded, and it never holds a payload.
 *
 * @param at when it had ended
 * @param who the caller's name
 * @param action such as {@code cancel}, {@code pause} or {@code operation-redrive}
 * @param queue the queue
 * @param details what it was asked for: an id, a filter, a due time, a pace
 * @param outcome what came of it, such as {@code CANCELLED}, {@code refused}, or {@code failed} and why
 * @param count how many tasks were changed
 */
public record AuditEntry(
        Instant at, String who, String action, String queue, Map<String, String> details, String outcome, long count) {

    public AuditEntry {
        details = Collections.unmodifiableMap(new LinkedHashMap<>(details));
    }
}
