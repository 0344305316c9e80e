// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.memory;

/**
 * Keeps a task where it is while it migrates to another shard.
 *
 * @param token of those that were held together
 * @param deadline epoch ms; from then on it holds no longer
 */
record Hold(long token, long deadline) {}
