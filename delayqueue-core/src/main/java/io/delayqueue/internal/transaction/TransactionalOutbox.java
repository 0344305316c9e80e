// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.transaction;

/** Stores calls in a table of the transaction's database, so that they survive the process. */
public interface TransactionalOutbox extends TransactionalCalls {}
