// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.listener;

import io.delayqueue.DelayQueueException;
import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.handler.Concurrency;
import io.delayqueue.handler.HandlerOptions;
import io.delayqueue.handler.HandlerRegistration;
import io.delayqueue.handler.TaskHandlerRegistry;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.interceptor.AsyncExecutionInterceptor;
import org.springframework.aop.support.AopUtils;
import org.springframework.format.annotation.DurationFormat;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/** Registers listener methods as handlers, and refuses those whose tasks could not be handled as they should be. */
final class ListenerRegistrar {

    private final TaskHandlerRegistry registry;
    private final ListenerMethodFactory methods;
    private final UnaryOperator<String> placeholders;
    private final ListenerReturn returned = new ListenerReturn();

    /** @param placeholders resolves those of the annotation's attributes */
    ListenerRegistrar(TaskHandlerRegistry registry, ListenerMethodFactory methods, UnaryOperator<String> placeholders) {
        this.registry = registry;
        this.methods = methods;
        this.placeholders = placeholders;
    }

    /**
     * Registers a method.
     *
     * @param bean as others see it, with its proxies
     * @param found the method where the class of the bean has it
     * @throws DelayQueueException if it cannot be registered; the message names the method
     */
    HandlerRegistration register(Object bean, Method found, DelayQueueListener listener) {
        HandlerOptions options;
        try {
            options = options(listener);
        } catch (IllegalArgumentException ex) {
            throw new DelayQueueException(
                    "@DelayQueueListener on " + found + " has a wrong attribute: " + ex.getMessage(), ex);
        }
        try {
            Method method = invocable(bean, found);
            returned.check(found, AopUtils.getTargetClass(bean));
            checkWaitsForItsEnd(bean, found);
            return registry.register(
                    placeholders.apply(listener.queue()),
                    new ListenerMethod(methods.createInvocableHandlerMethod(bean, method), returned),
                    options);
        } catch (DelayQueueException ex) {
            throw new DelayQueueException(
                    "@DelayQueueListener on " + found + " cannot be registered: " + ex.getMessage(), ex);
        }
    }

    private HandlerOptions options(DelayQueueListener listener) {
        return new HandlerOptions(
                value(listener.concurrency(), Concurrency::parse),
                value(listener.batchSize(), Integer::valueOf),
                value(listener.lease(), ListenerRegistrar::duration),
                Optional.empty(),
                value(listener.closeTimeout(), ListenerRegistrar::duration),
                value(listener.autoStartup(), Boolean::valueOf));
    }

    private <T> Optional<T> value(String attribute, Function<String, T> reader) {
        String text = placeholders.apply(attribute);
        return text.isBlank() ? Optional.empty() : Optional.of(reader.apply(text.trim()));
    }

    private static Duration duration(String text) {
        return DurationFormatterUtils.detectAndParse(text, DurationFormat.Unit.MILLIS);
    }

    /** A proxy passes on what it can override. The fields of the proxy itself are empty. */
    private static Method invocable(Object bean, Method found) {
        if (AopUtils.isCglibProxy(bean) && Modifier.isFinal(found.getModifiers())) {
            throw new DelayQueueException(
                    "it is final, so the proxy of its bean (as for an aspect) cannot pass the call"
                            + " on. Remove 'final'; in Kotlin make class and function open");
        }
        try {
            return AopUtils.selectInvocableMethod(found, bean.getClass());
        } catch (IllegalStateException ex) {
            throw new DelayQueueException(String.valueOf(ex.getMessage()), ex);
        }
    }

    /** What {@code @Async} and its like do with a method that returns no future. */
    private static void checkWaitsForItsEnd(Object bean, Method found) {
        if (!(bean instanceof Advised proxy) || Future.class.isAssignableFrom(found.getReturnType())) {
            return;
        }
        for (var advisor : proxy.getAdvisors()) {
            if (advisor.getAdvice() instanceof AsyncExecutionInterceptor
                    && advisor instanceof PointcutAdvisor pointcut
                    && AopUtils.canApply(pointcut.getPointcut(), AopUtils.getTargetClass(bean))
                    && pointcut.getPointcut().getMethodMatcher().matches(found, AopUtils.getTargetClass(bean))) {
                throw new DelayQueueException("it is asynchronous (@Async), so that a task would be acknowledged before"
                        + " its work has ended. Return a CompletableFuture that ends when the work does, or remove"
                        + " @Async: listeners have threads of their own");
            }
        }
    }
}
