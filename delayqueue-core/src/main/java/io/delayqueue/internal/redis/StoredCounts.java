// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import io.delayqueue.ScheduleOutcome;
import io.delayqueue.internal.store.ScheduleReply;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** How many tasks this process has stored, by queue. One that took the place of another counts too. */
final class StoredCounts {

    private final Map<String, LongAdder> byQueue = new ConcurrentHashMap<>();

    /** Counts what was stored, and returns the same. */
    List<ScheduleReply> counted(String queue, List<ScheduleReply> replies) {
        int stored = 0;
        for (ScheduleReply reply : replies) {
            if (reply.state() == ScheduleReply.State.DONE && reply.outcome() != ScheduleOutcome.KEPT) {
                stored++;
            }
        }
        if (stored > 0) {
            byQueue.computeIfAbsent(queue, name -> new LongAdder()).add(stored);
        }
        return replies;
    }

    long of(String queue) {
        LongAdder count = byQueue.get(queue);
        return count == null ? 0 : count.sum();
    }
}
