// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.listener;

import io.delayqueue.DelayQueueException;
import io.delayqueue.handler.DelayedTask;
import io.delayqueue.handler.HandlerOptions;
import io.delayqueue.handler.HandlerRegistration;
import io.delayqueue.internal.handler.DelayedTasks;
import io.delayqueue.internal.handler.DeliveryHandler;
import io.delayqueue.internal.handler.RegisteredHandlers;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.interceptor.AsyncExecutionInterceptor;
import org.springframework.aop.scope.ScopedObject;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.messaging.handler.invocation.InvocableHandlerMethod;
import org.springframework.scheduling.annotation.Async;

/** Registers listener methods as handlers. Rejects methods that could not handle their tasks correctly. */
record ListenerRegistrar(
        RegisteredHandlers registry, ListenerMethodFactory methods, DelayedTasks tasks, ListenerAttributes attributes) {

    private static final ListenerReturn RETURNED = new ListenerReturn();

    /**
     * Registers an endpoint for each of its queues.
     *
     * @param bean the bean with its proxies
     * @param registered receives each registration, including those made before this throws
     * @throws DelayQueueException if the endpoint cannot be registered; the message names the method or class
     */
    void register(Object bean, ListenerEndpoint endpoint, Consumer<HandlerRegistration> registered) {
        try {
            DeliveryHandler handler = handler(bean, endpoint);
            for (String queue : attributes.queues(endpoint.listener())) {
                HandlerOptions options = attributes.options(
                        endpoint.listener(), registry.settings(queue).retry());
                registered.accept(registry.register(queue, handler, options));
            }
        } catch (IllegalArgumentException ex) {
            throw new DelayQueueException(
                    "@DelayQueueListener on " + endpoint.source() + " has an invalid attribute: " + ex.getMessage(),
                    ex);
        } catch (DelayQueueException ex) {
            throw new DelayQueueException(
                    "@DelayQueueListener on " + endpoint.source() + " cannot be registered: " + ex.getMessage(), ex);
        }
    }

    Set<String> queues(ListenerEndpoint endpoint) {
        return attributes.queues(endpoint.listener());
    }

    private DeliveryHandler handler(Object bean, ListenerEndpoint endpoint) {
        return endpoint.isByType()
                ? ListenerMethods.of(AopUtils.getTargetClass(bean), endpoint, method -> handler(bean, method))
                : handler(bean, endpoint.methods().get(0));
    }

    /** @param found the method as declared by the bean's class */
    private DeliveryHandler handler(Object bean, Method found) {
        Class<?> type = AopUtils.getTargetClass(bean);
        PayloadParameter.check(found, type);
        Method method = invocable(bean, found);
        RETURNED.check(found, type);
        checkWaitsForItsEnd(bean, found);
        InvocableHandlerMethod called = methods.createInvocableHandlerMethod(bean, method);
        Type payload = PayloadParameter.genericTypeOf(found, type);
        boolean takesBatch = PayloadParameter.takesBatch(found, type);
        DeliveryHandler.Call call = takesBatch
                ? batches(called, Objects.requireNonNull(payload))
                : deliveries -> RETURNED.completion(called.invoke(DeliveryMessages.of(deliveries.get(0))));
        return new DeliveryHandler(call, takesBatch, delivery -> payload != null && tasks.isTooNew(delivery, payload));
    }

    private DeliveryHandler.Call batches(InvocableHandlerMethod called, Type payload) {
        return deliveries -> {
            List<DelayedTask<Object>> decoded = tasks.tasks(deliveries, payload);
            return decoded.isEmpty()
                    ? null
                    : RETURNED.completion(called.invoke(DeliveryMessages.of(deliveries), decoded));
        };
    }

    /**
     * Returns the method to call. Rejects a method that a proxy cannot override, because it would run on the proxy
     * itself, whose fields are empty.
     */
    private static Method invocable(Object bean, Method found) {
        if (AopUtils.isCglibProxy(bean) && Modifier.isFinal(found.getModifiers())) {
            throw new DelayQueueException(
                    "it is final, so its bean's proxy (for example because of an aspect) cannot intercept the "
                            + "call. Remove 'final'; in Kotlin open the class and the function");
        }
        if (AopUtils.isCglibProxy(bean) && isHiddenFrom(AopUtils.getTargetClass(bean), found)) {
            throw new DelayQueueException("it is package-private and in a different package from the class of its "
                    + "bean, so the bean's proxy cannot intercept the call. Make it public or protected");
        }
        Method method;
        try {
            method = AopUtils.selectInvocableMethod(found, bean.getClass());
        } catch (IllegalStateException ex) {
            throw new DelayQueueException(String.valueOf(ex.getMessage()), ex);
        }
        if (!hasParametersOf(found, method)) {
            throw new DelayQueueException("its bean's proxy implements "
                    + method.getDeclaringClass().getName()
                    + ", where the parameters have other types or lack annotations. Declare them there as in the class,"
                    + " or set spring.aop.proxy-target-class: true");
        }
        return method;
    }

    /** Returns whether the arguments for both methods are the same. The list of a batch does not depend on them. */
    private static boolean hasParametersOf(Method found, Method method) {
        return (PayloadParameter.takesBatch(found, found.getDeclaringClass())
                        || Arrays.equals(found.getGenericParameterTypes(), method.getGenericParameterTypes()))
                && IntStream.range(0, found.getParameterCount())
                        .allMatch(i -> List.of(method.getParameterAnnotations()[i])
                                .containsAll(Arrays.stream(found.getParameterAnnotations()[i])
                                        .filter(ListenerRegistrar::decidesArgument)
                                        .toList()));
    }

    private static boolean decidesArgument(Annotation annotation) {
        Class<?> type = annotation.annotationType();
        return type.getPackageName().startsWith("org.springframework.messaging")
                || type.getSimpleName().startsWith("Valid");
    }

    private static boolean isHiddenFrom(Class<?> type, Method found) {
        int visible = Modifier.PUBLIC | Modifier.PROTECTED | Modifier.PRIVATE;
        return (found.getModifiers() & visible) == 0
                && !found.getDeclaringClass().getPackageName().equals(type.getPackageName());
    }

    /** Rejects {@code @Async} and similar advice on methods that do not return a future. */
    private static void checkWaitsForItsEnd(Object bean, Method found) {
        if (!(bean instanceof Advised proxy) || Future.class.isAssignableFrom(found.getReturnType())) {
            return;
        }
        Class<?> type = AopUtils.getTargetClass(bean);
        // A scoped proxy wraps the bean's own proxy, which has the advice but does not exist yet.
        if (bean instanceof ScopedObject
                && (AnnotatedElementUtils.hasAnnotation(found, Async.class)
                        || AnnotatedElementUtils.hasAnnotation(type, Async.class))) {
            throw asynchronous();
        }
        for (var advisor : proxy.getAdvisors()) {
            if (advisor.getAdvice() instanceof AsyncExecutionInterceptor
                    && advisor instanceof PointcutAdvisor pointcut
                    && AopUtils.canApply(pointcut.getPointcut(), type)
                    && pointcut.getPointcut().getMethodMatcher().matches(found, type)) {
                throw asynchronous();
            }
        }
    }

    private static DelayQueueException asynchronous() {
        return new DelayQueueException(
                "it is asynchronous (@Async), so a task would be acknowledged before its work has "
                        + "ended. Return a CompletableFuture that completes with the work, or remove @Async: "
                        + "listeners already run on separate threads");
    }
}
