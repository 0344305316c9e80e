// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import io.delayqueue.control.AuditEntry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of audit entries.
 *
 * @param entries the entries, newest first; can be fewer than requested, or empty, even if more follow
 * @param next start of the next page; null at the end
 */
public record AuditPage(List<AuditEntry> entries, @Nullable String next) {

    public AuditPage {
        entries = List.copyOf(entries);
    }
}
