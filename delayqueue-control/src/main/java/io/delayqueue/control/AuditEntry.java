// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.control;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Audit record of a change that a caller made, or that was refused. All texts are printable and limited in length. An
 * entry never contains a payload.
 *
 * @param at when the call ended
 * @param who name of the caller
 * @param action the name of the action, such as {@code cancel}, {@code pause} or {@code operation-redrive}
 * @param queue the name of the queue
 * @param details the parameters of the request, such as an id, a filter, a due time or a rate
 * @param outcome the result, such as {@code CANCELLED}, {@code refused}, or {@code failed} with the reason
 * @param count number of changed tasks; if the change failed, the outcome may state it instead
 */
public record AuditEntry(
        Instant at, String who, String action, String queue, Map<String, String> details, String outcome, long count) {

    public AuditEntry {
        details = Collections.unmodifiableMap(new LinkedHashMap<>(details));
    }
}
