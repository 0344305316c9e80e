// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.transaction;

/** Keeps the calls in a table of the transaction's own database, so that they outlive the process. */
public interface TransactionalOutbox extends TransactionalCalls {}
