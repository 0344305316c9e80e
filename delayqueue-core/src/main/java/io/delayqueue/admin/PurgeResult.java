// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.admin;

/**
 * The result of a purge.
 *
 * @param live deleted waiting and leased tasks
 * @param leased deleted tasks that were leased; their deliveries were not stopped
 * @param dead deleted dead tasks
 * @param left tasks in the queue afterwards, for example those scheduled during the purge
 */
public record PurgeResult(long live, long leased, long dead, long left) {}
