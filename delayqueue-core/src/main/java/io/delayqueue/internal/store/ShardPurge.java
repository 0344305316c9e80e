// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

/**
 * What one call of a purge deleted in a shard.
 *
 * @param live waiting and leased tasks
 * @param leased those of them that had a lease, whose delivery may be under way
 * @param dead dead tasks
 * @param left tasks that are still there
 */
public record ShardPurge(int live, int leased, int dead, long left) {}
