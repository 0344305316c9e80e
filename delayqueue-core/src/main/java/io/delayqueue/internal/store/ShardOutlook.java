// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.time.Duration;
import java.util.List;

/**
 * What gauges show of one shard.
 *
 * @param live waiting and leased tasks
 * @param due live tasks that need attention now, with those whose lease ran out
 * @param leased tasks with a lease, whether or not it ran out
 * @param dead dead tasks, which are kept
 * @param paused whether nothing is acquired
 * @param overdue how long the task that has been due longest waits, by the server's clock; zero if none is due
 * @param dueWithin for each time that was asked for, how many live tasks need attention between now and then
 */
public record ShardOutlook(
        long live, long due, long leased, long dead, boolean paused, Duration overdue, List<Long> dueWithin) {

    public ShardOutlook {
        dueWithin = List.copyOf(dueWithin);
    }
}
