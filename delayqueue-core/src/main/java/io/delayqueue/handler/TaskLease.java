// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

import java.time.Duration;

/**
 * The right to handle a task, for a time. It is renewed every third of the queue's
 * lease while the handler runs, so it is only lost when this process or Redis could not be reached for that long. Safe
 * for use by many threads.
 */
public interface TaskLease {

    /**
     * The fencing token: of two deliveries of the same queue and id the later one has the higher token, also when the
     * number of shards changes or the id is scheduled again in between. Write it with what the handler writes, and
     * refuse a write whose token is lower than the one there: so a handler that lost its lease without noticing does no
     * harm.
     */
    long fencingToken();

    /**
     * Whether the lease is over or another's, so that the task may be in other hands. What the handler then returns or
     * throws changes nothing.
     */
    boolean isLost();

    /**
     * Puts off the end of the lease to at least this long from now, such as before a pause that keeps renewals from
     * being sent. A hundred years are the most. Blocks until Redis has answered, for little longer than the command
     * time-out at most.
     *
     * @return whether the lease is ours until then
     * @throws io.delayqueue.TaskStoreException if Redis did not answer in time; the lease then ends when it would have,
     *     or is extended if the call ran all the same
     */
    boolean extend(Duration atLeast);
}
