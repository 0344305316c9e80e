// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.transaction;

import io.delayqueue.benchmarks.subject.InterceptedStore;
import io.delayqueue.internal.store.NewTask;
import io.delayqueue.internal.store.TaskStore;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** Records when Redis confirmed each task, for a limited number of tasks. */
final class ArrivalTimes {

    private static final int MOST = 200_000;
    private static final int DIGITS = 12;

    private final Map<Long, Long> times = new ConcurrentHashMap<>();

    /** Returns the time by {@link System#nanoTime}; 0 if unknown. */
    long of(long number) {
        return times.getOrDefault(number, 0L);
    }

    TaskStore around(TaskStore store) {
        return InterceptedStore.aroundTasks(store, call -> {
            Object answer = call.proceed();
            Object[] arguments = call.getArguments();
            if (call.getMethod().getName().equals("schedule")
                    && answer instanceof CompletableFuture<?> future
                    && arguments[arguments.length - 1] instanceof List<?> stored) {
                return future.thenApply(reply -> noted(stored, reply));
            }
            return answer;
        });
    }

    private Object noted(List<?> stored, Object reply) {
        long now = System.nanoTime();
        if (times.size() < MOST) {
            for (Object each : stored) {
                String id = ((NewTask) each).id();
                times.putIfAbsent(Long.parseLong(id, id.length() - DIGITS, id.length(), 10), now);
            }
        }
        return reply;
    }
}
