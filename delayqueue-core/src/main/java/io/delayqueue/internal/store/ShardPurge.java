// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

/**
 * Tasks that one call of a purge deleted in a shard.
 *
 * @param live waiting and leased tasks
 * @param leased deleted tasks that were leased and may be in progress
 * @param dead dead tasks
 * @param left tasks that remain
 */
public record ShardPurge(int live, int leased, int dead, long left) {}
