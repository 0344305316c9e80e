// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.listener;

import io.delayqueue.DelayQueueException;
import io.delayqueue.internal.handler.DelayedTasks;
import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
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
    private final @Nullable Validator validator;

    /** @param beanFactory factory of the listeners; its only or primary validator validates payloads */
    ListenerMethodFactory(ConfigurableBeanFactory beanFactory, DelayedTasks tasks) {
        this.classLoader = beanFactory.getBeanClassLoader();
        this.validator = beanFactory.getBeanProvider(Validator.class).getIfUnique();
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
     *     requires validation and there is no validator for it
     */
    @Override
    public InvocableHandlerMethod createInvocableHandlerMethod(Object bean, Method method) {
        PayloadParameter.validated(method, AopUtils.getTargetClass(bean)).forEach(payload -> {
            if (validator == null || !validator.supports(payload)) {
                throw new DelayQueueException("it has a @Valid parameter, but there is no Validator bean that supports "
                        + payload + ", or there are several. Add spring-boot-starter-validation, or mark one Validator"
                        + " as @Primary");
            }
        });
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
