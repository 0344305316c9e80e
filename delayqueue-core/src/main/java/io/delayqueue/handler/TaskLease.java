// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

import java.time.Duration;

/**
 * The temporary right to handle a task. While the handler runs, the process renews the lease each time a third of it
 * has passed. The lease is lost only if the process is frozen or Redis is unreachable for too long. Thread-safe.
 */
public interface TaskLease {

    /**
     * Returns the fencing token. Of two deliveries of the same queue and id, the later one has the higher token, even
     * if the number of shards changes or the id is scheduled again in between. Store the token with the data that the
     * handler writes, and reject writes with a lower token. A handler that has lost its lease without noticing can then
     * do no harm.
     */
    long fencingToken();

    /**
     * Returns whether the lease has expired or belongs to another process, which may be handling the task. The
     * handler's result then has no effect.
     */
    boolean isLost();

    /**
     * Extends the lease to at least this duration from now, up to a hundred years, for example before a pause that
     * prevents renewals. Blocks until Redis has replied, or for slightly longer than the command time-out.
     *
     * @return whether this process holds the lease until then
     * @throws io.delayqueue.TaskStoreException if Redis did not reply in time; the lease then ends as before, or is
     *     extended if Redis executed the call
     */
    boolean extend(Duration atLeast);
}
