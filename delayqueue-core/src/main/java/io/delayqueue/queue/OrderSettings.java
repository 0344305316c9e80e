// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.queue;

/**
 * In which order tasks of a queue come that could come at the same time. Both are off unless asked for, and every
 * process that schedules into the queue should ask for the same.
 *
 * @param amongEquals whether tasks of one shard that are due in the same millisecond are acquired in the order in which
 *     they were scheduled or rescheduled; otherwise their ids decide. Up to 4,096 tasks for each millisecond have an
 *     order. Costs the Redis server one or two reads more for each millisecond that a call schedules for
 * @param oneAtATime whether a task that is scheduled or rescheduled while a delivery of its id runs waits until that
 *     has ended or its lease is over; otherwise it may be delivered beside it
 */
public record OrderSettings(boolean amongEquals, boolean oneAtATime) {

    /** Neither. */
    public static final OrderSettings NONE = new OrderSettings(false, false);
}
