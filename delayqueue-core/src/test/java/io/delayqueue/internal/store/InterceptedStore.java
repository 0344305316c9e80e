// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.withSettings;

import java.lang.reflect.InvocationHandler;

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
        return mock(type, withSettings().stubOnly().defaultAnswer(call -> {
            Class<?> answer = call.getMethod().getReturnType();
            if (answer == QueueClock.class) {
                return QueueClock.SERVERS;
            }
            return isPart(answer)
                    ? proxy(answer, target == null ? null : call.getMethod().invoke(target), handler)
                    : handler.invoke(target, call.getMethod(), call.getRawArguments());
        }));
    }

    private static boolean isPart(Class<?> answer) {
        return answer.getPackage() == TaskStore.class.getPackage()
                && answer.getSimpleName().endsWith("Store");
    }
}
