// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

/**
 * Listener for the outcomes of calls made within transactions. Beans of this type are notified in the process that sent
 * the calls, which may not be the caller's process. Each outcome is reported once, or several times after a crash. The
 * relay's thread waits for the listener, so it should return quickly. Exceptions are logged.
 */
public interface OutboxListener {

    /** Called when Redis has executed an operation. */
    default void sent(SentOperation operation) {}

    /** Called when operations that can never be executed were rejected, after the rejection was committed. */
    default void rejected(RejectedOperation operation) {}
}
