// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.subject;

import io.delayqueue.internal.store.Acquisition;
import io.delayqueue.internal.store.LeaseStore;
import io.delayqueue.internal.store.TaskStore;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import org.aopalliance.intercept.MethodInterceptor;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;

/** Counts the acquires of this library, and those without tasks. */
public final class AcquireCounts implements BeanPostProcessor {

    private final LongAdder all = new LongAdder();
    private final LongAdder empty = new LongAdder();

    public long all() {
        return all.sum();
    }

    /** Returns the number of acquires without tasks. */
    public long empty() {
        return empty.sum();
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (!(bean instanceof TaskStore store)) {
            return bean;
        }
        LeaseStore counting = around(store.leases(), call -> {
            Object answer = call.proceed();
            if (call.getMethod().getName().equals("acquire") && answer instanceof CompletableFuture<?> future) {
                all.increment();
                return future.thenApply(this::counted);
            }
            return answer;
        });
        return around(store, call -> call.getMethod().getName().equals("leases") ? counting : call.proceed());
    }

    private static <T> T around(T target, MethodInterceptor advice) {
        ProxyFactory factory = new ProxyFactory(target);
        factory.setProxyTargetClass(true);
        factory.addAdvice(advice);
        @SuppressWarnings("unchecked")
        T proxy = (T) factory.getProxy(AcquireCounts.class.getClassLoader());
        return proxy;
    }

    private Object counted(Object answer) {
        if (answer instanceof Acquisition acquisition && acquisition.tasks().isEmpty()) {
            empty.increment();
        }
        return answer;
    }
}
