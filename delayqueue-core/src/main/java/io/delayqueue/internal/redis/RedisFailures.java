// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import io.delayqueue.DelayQueueException;
import io.delayqueue.TaskStoreTimeoutException;
import io.delayqueue.TaskStoreUnavailableException;
import java.util.concurrent.atomic.LongAdder;

/** Counts the calls that Redis did not answer, since this process began. Safe for use by many threads. */
public final class RedisFailures {

    private final LongAdder timeouts = new LongAdder();
    private final LongAdder unavailable = new LongAdder();

    void note(DelayQueueException failure) {
        if (failure instanceof TaskStoreTimeoutException) {
            timeouts.increment();
        } else if (failure instanceof TaskStoreUnavailableException) {
            unavailable.increment();
        }
    }

    /** Calls that were not answered in time. */
    public long timeouts() {
        return timeouts.sum();
    }

    /** Calls that failed because Redis could not be reached. */
    public long unavailable() {
        return unavailable.sum();
    }
}
