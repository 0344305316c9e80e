// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.queue;

import io.delayqueue.handler.RetrySettings;
import io.delayqueue.internal.input.Bound;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The settings of one queue.
 *
 * @param shards number of shards, at least 1
 * @param codec name of the codec that writes its payloads
 * @param lease how long an acquired task belongs to the process that acquired it
 * @param maxLeaseExpiries maximum number of lease expiries of one task; the next one makes it dead. With 0, a delivery
 *     that may have started is never repeated, neither after a crash nor after a stop that interrupted it
 * @param dead retention of its dead tasks
 * @param minReplicas number of replicas of the Redis master that must store a scheduled, cancelled or rescheduled task
 *     before the call returns, unless a request overrides it; 0 for none
 * @param handlerTimeout maximum duration of one attempt of its handler; null for unlimited
 * @param timing rules for when its tasks may be delivered
 * @param history number of history entries per shard; 0 for no history
 * @param stackTraceSize maximum size in bytes of the stack trace of the last failure of a task; 0 to keep none
 */
public record QueueSettings(
        String name,
        int shards,
        String codec,
        Duration lease,
        int maxLeaseExpiries,
        RetrySettings retry,
        TriggerSettings trigger,
        DeadSettings dead,
        int minReplicas,
        @Nullable Duration handlerTimeout,
        TimingSettings timing,
        LimitSettings limits,
        int history,
        int stackTraceSize) {

    /** The maximum number of replicas. A larger number would be a mistake. */
    public static final int MOST_REPLICAS = Bound.REPLICAS.most();

    public QueueSettings {
        QueueNames.check(name);
        String its = "Queue '" + name + "': its ";
        Bound.SHARDS.check(its + "shards", shards);
        Bound.LEASE.check(its + "lease", lease);
        Bound.MAX_LEASE_EXPIRIES.check(its + "max-lease-expiries", maxLeaseExpiries);
        Bound.REPLICAS.check(its + "min-replicas", minReplicas);
        if (handlerTimeout != null) {
            Bound.HANDLER_TIMEOUT.check(its + "handler.timeout", handlerTimeout);
        }
        Bound.HISTORY.check(its + "history", history);
        if (stackTraceSize != 0) {
            Bound.STACK_TRACE.check(its + "stack-trace-size, unless it is 0,", stackTraceSize);
        }
    }

    /** Returns whether a delivery that may have started makes the task dead instead of retrying it. */
    public boolean beginsAtMostOnce() {
        return maxLeaseExpiries == 0;
    }
}
