// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.outbox;

/**
 * How far a row has come.
 *
 * @param version raised whenever an operation is added
 * @param attempts raised whenever a sweep takes it, so that it tells whether another process has done so
 */
public record RowState(long version, int attempts) {}
