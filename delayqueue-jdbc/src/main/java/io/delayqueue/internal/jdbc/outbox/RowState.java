// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.outbox;

/**
 * The progress of a row.
 *
 * @param version increases with each added operation
 * @param attempts increases whenever a sweep takes the row, which reveals that another process did
 */
public record RowState(long version, int attempts) {}
