// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.subject;

import io.delayqueue.internal.store.Acquisition;
import io.delayqueue.internal.store.LeaseStore;
import io.delayqueue.internal.store.TaskStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import org.springframework.beans.factory.config.BeanPostProcessor;

/** Counts how often this library asks its store for tasks, and how often it gets none. */
public final class AcquireCounts implements BeanPostProcessor {

    private final LongAdder all = new LongAdder();
    private final LongAdder empty = new LongAdder();

    public long all() {
        return all.sum();
    }

    /** Those that brought no task. */
    public long empty() {
        return empty.sum();
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (!(bean instanceof TaskStore store)) {
            return bean;
        }
        Object counting = around(LeaseStore.class, store.leases());
        return Proxy.newProxyInstance(
                TaskStore.class.getClassLoader(),
                new Class<?>[] {TaskStore.class},
                (proxy, method, arguments) ->
                        method.getName().equals("leases") ? counting : call(store, method, arguments));
    }

    private Object around(Class<?> type, Object target) {
        return Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> call(target, method, arguments));
    }

    private Object call(Object target, Method method, Object[] arguments) throws Throwable {
        Object answer;
        try {
            answer = method.invoke(target, arguments);
        } catch (InvocationTargetException ex) {
            throw ex.getCause();
        }
        if (method.getName().equals("acquire") && answer instanceof CompletableFuture<?> future) {
            all.increment();
            return future.thenApply(this::counted);
        }
        return answer;
    }

    private Object counted(Object answer) {
        if (answer instanceof Acquisition acquisition && acquisition.tasks().isEmpty()) {
            empty.increment();
        }
        return answer;
    }
}
