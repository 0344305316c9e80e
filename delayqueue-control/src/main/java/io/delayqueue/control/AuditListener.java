// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.control;

/**
 * Callback for each change, after it was made or refused, on the same thread. Exceptions are logged and otherwise
 * ignored.
 */
@FunctionalInterface
public interface AuditListener {

    /** Called after a change was made or refused. */
    void onChange(AuditEntry entry);
}
