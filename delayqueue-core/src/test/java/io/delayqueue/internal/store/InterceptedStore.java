// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;

/** A store whose calls all go to one handler, whatever the role they belong to. */
public final class InterceptedStore {

    private InterceptedStore() {}

    /** @param handler gets null instead of a proxy */
    public static TaskStore of(InvocationHandler handler) {
        return proxy(TaskStore.class, null, handler);
    }

    /** @param handler gets, instead of a proxy, the part of the real store on which the method may be called */
    public static TaskStore around(TaskStore real, InvocationHandler handler) {
        return proxy(TaskStore.class, real, handler);
    }

    private static <T> T proxy(Class<T> type, Object target, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    Class<?> answer = method.getReturnType();
                    if (answer == QueueClock.class) {
                        return QueueClock.SERVERS;
                    }
                    return answer.isInterface()
                            ? proxy(answer, target == null ? null : method.invoke(target), handler)
                            : handler.invoke(target, method, arguments);
                }));
    }
}
