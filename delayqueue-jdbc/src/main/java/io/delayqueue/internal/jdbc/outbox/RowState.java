// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.outbox;

/**
 * The progress of a row.
 *
 * @param version version of the row, which increases with each added operation
 * @param attempts number of attempts, which increases each time a sweep takes the row. A higher number indicates that
 *     another process has taken it
 */
public record RowState(long version, int attempts) {}
