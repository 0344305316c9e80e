// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

/**
 * The result of one call of a purge in a shard.
 *
 * @param live number of deleted waiting and leased tasks
 * @param leased number of these tasks that were leased and may be in progress
 * @param dead number of deleted dead tasks
 * @param left number of tasks that remain
 */
public record ShardPurge(int live, int leased, int dead, long left) {}
