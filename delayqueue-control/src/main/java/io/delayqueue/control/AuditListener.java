// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.control;

/**
 * Is told of each change after it was made or refused, on the thread that made it. What it throws is logged and changes
 * nothing else.
 */
@FunctionalInterface
public interface AuditListener {

    void onChange(AuditEntry entry);
}
