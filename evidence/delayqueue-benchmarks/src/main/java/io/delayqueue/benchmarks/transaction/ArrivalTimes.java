// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.transaction;

import io.delayqueue.internal.store.NewTask;
import io.delayqueue.internal.store.ScheduleStore;
import io.delayqueue.internal.store.TaskStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Remembers when Redis answered that it has stored a task, as long as there are not too many. */
final class ArrivalTimes {

    private static final int MOST = 200_000;
    private static final int DIGITS = 12;

    private final Map<Long, Long> times = new ConcurrentHashMap<>();

    /** By {@link System#nanoTime}; 0 if it is not known. */
    long of(long number) {
        return times.getOrDefault(number, 0L);
    }

    TaskStore around(TaskStore store) {
        ScheduleStore tasks = (ScheduleStore) Proxy.newProxyInstance(
                ScheduleStore.class.getClassLoader(),
                new Class<?>[] {ScheduleStore.class},
                (proxy, method, arguments) -> {
                    Object answer = call(store.tasks(), method, arguments);
                    if (method.getName().equals("schedule")
                            && answer instanceof CompletableFuture<?> future
                            && arguments != null
                            && arguments[arguments.length - 1] instanceof List<?> stored) {
                        return future.thenApply(reply -> noted(stored, reply));
                    }
                    return answer;
                });
        return (TaskStore) Proxy.newProxyInstance(
                TaskStore.class.getClassLoader(),
                new Class<?>[] {TaskStore.class},
                (proxy, method, arguments) ->
                        method.getName().equals("tasks") ? tasks : call(store, method, arguments));
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

    private static @Nullable Object call(Object target, Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException ex) {
            throw ex.getCause() != null ? ex.getCause() : ex;
        }
    }
}
