// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import io.delayqueue.DelayQueueException;
import io.delayqueue.TaskStoreTimeoutException;
import io.delayqueue.TaskStoreUnavailableException;
import java.util.concurrent.atomic.LongAdder;

/** Counts the calls that failed because Redis did not answer, since the start of this process. Thread-safe. */
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

    public long timeouts() {
        return timeouts.sum();
    }

    /** Returns the number of calls that failed because Redis could not be reached. */
    public long unavailable() {
        return unavailable.sum();
    }
}
