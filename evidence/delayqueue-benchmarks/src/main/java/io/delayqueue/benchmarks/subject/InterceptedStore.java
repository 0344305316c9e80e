// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.subject;

import io.delayqueue.internal.store.LeaseStore;
import io.delayqueue.internal.store.ScheduleStore;
import io.delayqueue.internal.store.TaskStore;
import org.aopalliance.intercept.MethodInterceptor;
import org.springframework.aop.framework.ProxyFactory;

/** Copies of a store with an interceptor around the calls of one part. */
public final class InterceptedStore {

    private InterceptedStore() {}

    /** Returns a copy of the store with an interceptor around the calls on tasks. */
    public static TaskStore aroundTasks(TaskStore store, MethodInterceptor interceptor) {
        return copy(store, around(store.tasks(), interceptor), store.leases());
    }

    /** Returns a copy of the store with an interceptor around the calls on leases. */
    static TaskStore aroundLeases(TaskStore store, MethodInterceptor interceptor) {
        return copy(store, store.tasks(), around(store.leases(), interceptor));
    }

    private static <T> T around(T part, MethodInterceptor interceptor) {
        ProxyFactory factory = new ProxyFactory(part);
        factory.setProxyTargetClass(true);
        factory.addAdvice(interceptor);
        @SuppressWarnings("unchecked")
        T proxy = (T) factory.getProxy(InterceptedStore.class.getClassLoader());
        return proxy;
    }

    private static TaskStore copy(TaskStore store, ScheduleStore tasks, LeaseStore leases) {
        return new TaskStore(
                store.scripts(),
                store.callTimeout(),
                tasks,
                leases,
                store.groups(),
                store.dead(),
                store.history(),
                store.migrations(),
                store.shards(),
                store.shardings(),
                store.rates(),
                store.operations(),
                store.queueNotes(),
                store.audit());
    }
}
