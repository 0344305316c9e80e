// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

/**
 * Hears what becomes of calls that were made within transactions: a bean of this type is told in the process that has
 * sent them, which may be another one than the caller's. It is told once or, after a crash, again. It is called on the
 * relay's thread, which waits for it, so it should be quick; what it throws is logged.
 */
public interface OutboxListener {

    /** Redis has carried out an operation. */
    default void sent(SentOperation operation) {}

    /** Operations can never be carried out and were put aside. Told after that was committed. */
    default void rejected(RejectedOperation operation) {}
}
