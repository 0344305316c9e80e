// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.lang.reflect.InvocationHandler;
import org.aopalliance.intercept.MethodInterceptor;
import org.springframework.aop.TargetSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.target.EmptyTargetSource;
import org.springframework.aop.target.SingletonTargetSource;

/** A store whose calls all go to one handler, whatever the role they belong to. */
public final class InterceptedStore {

    private InterceptedStore() {}

    /** @param handler gets null instead of a proxy */
    public static TaskStore of(InvocationHandler handler) {
        return proxy(TaskStore.class, null, handler);
    }

    /** @param handler is passed the part of the real store with the method, instead of a proxy */
    public static TaskStore around(TaskStore real, InvocationHandler handler) {
        return proxy(TaskStore.class, real, handler);
    }

    private static <T> T proxy(Class<T> type, Object target, InvocationHandler handler) {
        TargetSource source = target == null ? EmptyTargetSource.forClass(type) : new SingletonTargetSource(target);
        ProxyFactory factory = new ProxyFactory();
        factory.setTargetSource(source);
        factory.setProxyTargetClass(true);
        factory.addAdvice((MethodInterceptor) call -> {
            Class<?> answer = call.getMethod().getReturnType();
            if (answer == QueueClock.class) {
                return QueueClock.SERVERS;
            }
            return isPart(answer)
                    ? proxy(answer, target == null ? null : call.getMethod().invoke(target), handler)
                    : handler.invoke(target, call.getMethod(), call.getArguments());
        });
        return type.cast(factory.getProxy(type.getClassLoader()));
    }

    private static boolean isPart(Class<?> answer) {
        return answer.getPackage() == TaskStore.class.getPackage()
                && answer.getSimpleName().endsWith("Store");
    }
}
