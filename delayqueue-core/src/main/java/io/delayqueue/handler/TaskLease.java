// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

import java.time.Duration;

/**
 * The temporary right to handle a task. While the handler runs, the process renews the lease whenever a third of it has
 * passed. The lease is lost only if the process is frozen, or Redis unreachable, for too long. Thread-safe.
 */
public interface TaskLease {

    /**
     * Returns the fencing token: of two deliveries of the same queue and id, the later has the higher token, even if
     * the number of shards changes or the id is scheduled again in between. Store it with the data that the handler
     * writes, and reject writes with a lower token than the stored one. A handler that has unknowingly lost its lease
     * then does no harm.
     */
    long fencingToken();

    /**
     * Returns whether the lease has expired or belongs to another process, which may be handling the task. The
     * handler's result then has no effect.
     */
    boolean isLost();

    /**
     * Extends the lease to at least this long from now, for example before a pause that prevents renewals, up to a
     * hundred years. Blocks until Redis has replied, up to slightly longer than the command time-out.
     *
     * @return whether this process holds the lease until then
     * @throws io.delayqueue.TaskStoreException if Redis did not reply in time; the lease then ends as before, or is
     *     extended if the call ran anyway
     */
    boolean extend(Duration atLeast);
}
