// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.control;

/**
 * Callback for each change, after it was made or refused, on the thread that made it. An exception is logged and has no other
 * effect.
 */
@FunctionalInterface
public interface AuditListener {

    void onChange(AuditEntry entry);
}
