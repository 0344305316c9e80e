// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.control;

/**
 * Callback for changes. Invoked after each change was made or refused, on the thread of the call. Exceptions are logged
 * and otherwise ignored.
 */
@FunctionalInterface
public interface AuditListener {

    /** Called after a change was made or refused. */
    void onChange(AuditEntry entry);
}
