// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

/**
 * What one purge deleted.
 *
 * @param live waiting and leased tasks
 * @param leased those of them that had a lease, whose delivery may be under way
 * @param dead dead tasks
 * @param left tasks that are still there
 */
public record Purged(int live, int leased, int dead, long left) {}
