// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.admin;

/**
 * What was done to the waiting tasks of a queue.
 *
 * @param done to how many it was done
 * @param left how many at most were left as they were, because they were under delivery when they were looked at
 * @param complete whether all were seen; false where the calling thread was interrupted, or tasks still migrate between shards.
 *     The same call made again goes on
 */
public record WaitingTasksResult(long done, long left, boolean complete) {}
