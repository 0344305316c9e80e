// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.outbox;

import io.delayqueue.TaskStoreUnavailableException;
import io.delayqueue.internal.store.ScheduleStore;
import io.delayqueue.internal.store.TaskStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Redis as a {@link Mortal} sees it: each call that changes a task is a step. */
final class MortalStore {

    private static final Set<String> SENDS = Set.of("schedule", "cancel", "reschedule");

    private final Mortal mortal;

    private MortalStore(Mortal mortal) {
        this.mortal = mortal;
    }

    static TaskStore around(TaskStore store, Mortal mortal) {
        MortalStore steps = new MortalStore(mortal);
        ScheduleStore tasks = (ScheduleStore) Proxy.newProxyInstance(
                ScheduleStore.class.getClassLoader(),
                new Class<?>[] {ScheduleStore.class},
                (proxy, method, arguments) -> SENDS.contains(method.getName())
                        ? steps.send(store.tasks(), method, arguments)
                        : call(store.tasks(), method, arguments));
        return (TaskStore) Proxy.newProxyInstance(
                TaskStore.class.getClassLoader(),
                new Class<?>[] {TaskStore.class},
                (proxy, method, arguments) ->
                        method.getName().equals("tasks") ? tasks : call(store, method, arguments));
    }

    private @Nullable Object send(ScheduleStore tasks, Method method, Object @Nullable [] arguments) throws Throwable {
        mortal.noteSend(method.getName());
        try {
            mortal.reach(new FailurePoint(Step.SEND, false));
        } catch (SQLException dead) {
            return failed(dead);
        }
        Object answer = call(tasks, method, arguments);
        if (answer instanceof CompletableFuture<?> future) {
            return future.thenApply(result -> {
                try {
                    mortal.reach(new FailurePoint(Step.SEND, true));
                } catch (SQLException dead) {
                    throw new TaskStoreUnavailableException("the application is dead", false, dead);
                }
                return result;
            });
        }
        return answer;
    }

    private static CompletableFuture<?> failed(SQLException dead) {
        return CompletableFuture.failedFuture(
                new TaskStoreUnavailableException("the application is dead", false, dead));
    }

    private static @Nullable Object call(Object target, Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException ex) {
            throw ex.getCause() != null ? ex.getCause() : ex;
        }
    }
}
