// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

/** What becomes of a {@link TransactionalDelayQueueOperations} call that is made outside a transaction. */
public enum OutsideTransaction {
    /** It is refused with {@link TransactionRequiredException}. */
    REFUSE,
    /** It is made at once, and throws what the call of {@link io.delayqueue.DelayQueueOperations} would. */
    IMMEDIATE
}
