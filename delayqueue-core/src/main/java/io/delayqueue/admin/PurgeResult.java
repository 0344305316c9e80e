// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.admin;

/**
 * What a purge deleted.
 *
 * @param live waiting and leased tasks
 * @param leased those of them that were leased: a delivery that was under way was not stopped
 * @param dead dead tasks
 * @param left tasks that the queue has after it, such as those scheduled meanwhile
 */
public record PurgeResult(long live, long leased, long dead, long left) {}
