// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.listener;

import io.delayqueue.DelayQueueException;
import io.delayqueue.internal.handler.DelayedTasks;
import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.KotlinDetector;
import org.springframework.messaging.handler.annotation.support.DefaultMessageHandlerMethodFactory;
import org.springframework.messaging.handler.invocation.HandlerMethodArgumentResolverComposite;
import org.springframework.messaging.handler.invocation.InvocableHandlerMethod;
import org.springframework.util.ClassUtils;
import org.springframework.validation.Validator;

/** Creates callers of listener methods, including suspending Kotlin functions. */
final class ListenerMethodFactory extends DefaultMessageHandlerMethodFactory {

    private static final String COROUTINES = "kotlinx.coroutines.reactor.MonoKt";

    private final HandlerMethodArgumentResolverComposite arguments = new HandlerMethodArgumentResolverComposite();
    private final @Nullable ClassLoader classLoader;
    private final boolean ambiguous;

    /** @param validators provider of validators; the only or primary one validates payloads */
    ListenerMethodFactory(
            BeanFactory beanFactory,
            @Nullable ClassLoader classLoader,
            DelayedTasks tasks,
            ObjectProvider<Validator> validators) {
        Validator validator = validators.getIfUnique();
        this.classLoader = classLoader;
        this.ambiguous = validator == null && validators.stream().findAny().isPresent();
        setBeanFactory(beanFactory);
        setCustomArgumentResolvers(List.of(new TaskArgumentResolver(tasks, validator)));
        afterPropertiesSet();
    }

    @Override
    public void afterPropertiesSet() {
        super.afterPropertiesSet();
        arguments.addResolvers(initArgumentResolvers());
    }

    /**
     * @throws DelayQueueException if the method is a suspending function and a required library is missing, or if it
     *     requires validation and there are several validators
     */
    @Override
    public InvocableHandlerMethod createInvocableHandlerMethod(Object bean, Method method) {
        if (ambiguous && PayloadParameter.isValidated(method)) {
            throw new DelayQueueException("it has a @Valid parameter, but the application has several Validator beans."
                    + " Mark one of them as @Primary");
        }
        boolean isRunnable = KotlinDetector.isKotlinReflectPresent() && ClassUtils.isPresent(COROUTINES, classLoader);
        if (KotlinDetector.isSuspendingFunction(method) && !isRunnable) {
            throw new DelayQueueException("it is a suspending function. Add kotlin-reflect and"
                    + " kotlinx-coroutines-reactor to the class path");
        }
        CalledMethod called = new CalledMethod(bean, method);
        called.setMessageMethodArgumentResolvers(arguments);
        return called;
    }
}
