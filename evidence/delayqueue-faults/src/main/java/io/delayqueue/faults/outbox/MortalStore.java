// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.outbox;

import io.delayqueue.TaskStoreUnavailableException;
import io.delayqueue.faults.load.RecordingStore;
import io.delayqueue.internal.store.ScheduleStore;
import io.delayqueue.internal.store.TaskStore;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.ProxyFactory;

/** The Redis store of a {@link Mortal}: each call that changes a task is a step. */
record MortalStore(Mortal mortal) {

    private static final Set<String> SENDS = Set.of("schedule", "cancel", "reschedule");

    static TaskStore around(TaskStore store, Mortal mortal) {
        MortalStore steps = new MortalStore(mortal);
        ProxyFactory tasks = new ProxyFactory(store.tasks());
        tasks.setProxyTargetClass(true);
        tasks.addAdvice((MethodInterceptor)
                call -> SENDS.contains(call.getMethod().getName()) ? steps.send(call) : call.proceed());
        return RecordingStore.copy(
                store, (ScheduleStore) tasks.getProxy(MortalStore.class.getClassLoader()), store.leases());
    }

    private @Nullable Object send(MethodInvocation call) throws Throwable {
        mortal.noteSend(call.getMethod().getName());
        try {
            mortal.reach(new FailurePoint(Step.SEND, false));
        } catch (SQLException dead) {
            return failed(dead);
        }
        Object answer = call.proceed();
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
}
