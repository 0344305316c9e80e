// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.listener;

import io.delayqueue.DelayQueueException;
import io.delayqueue.internal.handler.DelayedTasks;
import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.CoroutinesUtils;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodParameter;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.annotation.support.DefaultMessageHandlerMethodFactory;
import org.springframework.messaging.handler.invocation.HandlerMethodArgumentResolver;
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

    /** @param validators the only or primary one validates payloads */
    ListenerMethodFactory(
            BeanFactory beanFactory,
            @Nullable ClassLoader classLoader,
            DelayedTasks tasks,
            ObjectProvider<Validator> validators) {
        Validator validator = validators.getIfUnique();
        this.classLoader = classLoader;
        this.ambiguous = validator == null && validators.stream().findAny().isPresent();
        setBeanFactory(beanFactory);
        PayloadMessageConverter converter = new PayloadMessageConverter(tasks);
        setMessageConverter(converter);
        setCustomArgumentResolvers(List.of(
                new TaskArgumentResolver(tasks),
                new NoContinuation(),
                new ObjectArgumentResolver(converter, validator)));
        if (validator != null) {
            setValidator(validator);
        }
        afterPropertiesSet();
    }

    @Override
    public void afterPropertiesSet() {
        super.afterPropertiesSet();
        arguments.addResolvers(initArgumentResolvers());
    }

    /**
     * @throws DelayQueueException if the method is a suspending function and a required library is missing, or if it asks
     *     for validation and there are several validators
     */
    @Override
    public InvocableHandlerMethod createInvocableHandlerMethod(Object bean, Method method) {
        if (ambiguous && PayloadParameter.isValidated(method)) {
            throw new DelayQueueException("it has a @Valid parameter, but the application has several Validator beans."
                    + " Mark one of them as @Primary");
        }
        if (!KotlinDetector.isSuspendingFunction(method)) {
            return resolving(new CalledMethod(bean, method));
        }
        if (!KotlinDetector.isKotlinReflectPresent() || !ClassUtils.isPresent(COROUTINES, classLoader)) {
            throw new DelayQueueException("it is a suspending function. Add kotlin-reflect and"
                    + " kotlinx-coroutines-reactor to the class path");
        }
        return resolving(new SuspendingMethod(bean, method));
    }

    private InvocableHandlerMethod resolving(CalledMethod method) {
        method.setMessageMethodArgumentResolvers(arguments);
        return method;
    }

    /** Returns the publisher that Spring creates from a suspending function. */
    private static final class SuspendingMethod extends CalledMethod {

        SuspendingMethod(Object bean, Method method) {
            super(bean, method);
        }

        @Override
        protected Object doInvoke(@Nullable Object... args) {
            return CoroutinesUtils.invokeSuspendingFunction(getBridgedMethod(), getBean(), args);
        }
    }

    /**
     * Resolves the parameter that the Kotlin compiler adds to a suspending function. The caller supplies the argument.
     */
    private static final class NoContinuation implements HandlerMethodArgumentResolver {

        @Override
        public boolean supportsParameter(MethodParameter parameter) {
            return parameter.getParameterType().getName().equals("kotlin.coroutines.Continuation");
        }

        @Override
        public @Nullable Object resolveArgument(MethodParameter parameter, Message<?> message) {
            return null;
        }
    }
}
