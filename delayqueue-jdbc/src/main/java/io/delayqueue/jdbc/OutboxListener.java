// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

/**
 * Listener for the outcomes of calls that were made within transactions. Beans of this type are notified in the process
 * that sent the calls to Redis, which may be a different one from the caller's. Each outcome is reported once, or
 * several times after a crash. The relay's thread waits for listeners, so they should return quickly. Exceptions are
 * logged.
 */
public interface OutboxListener {

    /** Called when Redis has executed an operation. */
    default void sent(SentOperation operation) {}

    /** Called after operations that can never be executed were rejected and the rejection was committed. */
    default void rejected(RejectedOperation operation) {}
}
