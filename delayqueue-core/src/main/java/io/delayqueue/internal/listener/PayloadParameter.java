// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.listener;

import io.delayqueue.DelayQueueException;
import io.delayqueue.delivery.Delivery;
import io.delayqueue.delivery.OpenDelivery;
import io.delayqueue.handler.DelayedTask;
import io.delayqueue.handler.TaskLease;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.GenericTypeResolver;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHeaders;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.Headers;
import org.springframework.messaging.handler.annotation.ValueConstants;
import org.springframework.messaging.support.MessageHeaderAccessor;

/** Tells which parameter of a listener method takes the payload. */
final class PayloadParameter {

    private static final Set<Class<?>> OTHERS =
            Set.of(TaskLease.class, Delivery.class, OpenDelivery.class, Message.class, MessageHeaders.class);

    private PayloadParameter() {}

    /**
     * The class of the payload that a method takes, by itself or in a {@link DelayedTask}.
     *
     * @param type the class of the bean, which may say what the method's type variables are
     * @return null if it takes none
     */
    static @Nullable Class<?> typeOf(Method method, Class<?> type) {
        ResolvableType found = find(method, type);
        return (found == null) ? null : found.toClass();
    }

    /** The same, with its generics. */
    static @Nullable Type genericTypeOf(Method method, Class<?> type) {
        ResolvableType found = find(method, type);
        return (found == null) ? null : bound(GenericTypeResolver.resolveType(found.getType(), type));
    }

    /** What a payload is read as whose type says only what it extends: {@code Object} for {@code ?}. */
    static Type bound(Type type) {
        if (type instanceof WildcardType wildcard) {
            return bound(wildcard.getUpperBounds()[0]);
        }
        return (type instanceof TypeVariable<?> variable) ? bound(variable.getBounds()[0]) : type;
    }

    /**
     * Looks for parameters of which no argument can ever be made, or not for every task.
     *
     * @throws DelayQueueException if there is one
     */
    static void check(Method method) {
        if (takesBatch(method) && method.getParameterCount() > (KotlinDetector.isSuspendingFunction(method) ? 2 : 1)) {
            throw new DelayQueueException("it takes a list of tasks and something beside it, which would be of which"
                    + " task? Take the list alone; each DelayedTask has its headers and its lease");
        }
        for (int i = 0; i < method.getParameterCount(); i++) {
            MethodParameter parameter = new MethodParameter(method, i);
            if (parameter.getParameterType() == Message.class && !takesDelivery(parameter)) {
                throw new DelayQueueException(
                        "it takes a Message. Take the payload itself or a DelayedTask<...>, and headers"
                                + " by @Header or @Headers");
            }
            if (parameter.getParameterType() == Optional.class && isPayload(parameter)) {
                throw new DelayQueueException("it takes an Optional, but a task always has what that is for. Take the"
                        + " payload, the DelayedTask<...> or the TaskLease itself. Only a @Header may be an Optional");
            }
            if (parameter.getParameterType() == DelayedTask.class
                    && !(parameter.getGenericParameterType() instanceof ParameterizedType)) {
                throw new DelayQueueException(
                        "it takes a DelayedTask and does not say of which payload. Write DelayedTask<...>");
            }
            if (parameter.getParameterType().isPrimitive() && mayBeAbsent(parameter)) {
                throw new DelayQueueException("its optional @Header is "
                        + parameter.getParameterType() + ", which cannot be absent. Take the object of that type or an"
                        + " Optional, or say a defaultValue");
            }
        }
    }

    private static boolean mayBeAbsent(MethodParameter parameter) {
        Header header = parameter.getParameterAnnotation(Header.class);
        return header != null && !header.required() && header.defaultValue().equals(ValueConstants.DEFAULT_NONE);
    }

    private static @Nullable ResolvableType find(Method method, Class<?> type) {
        for (int i = 0; i < method.getParameterCount(); i++) {
            MethodParameter parameter = new MethodParameter(method, i).withContainingClass(type);
            ResolvableType declared = ResolvableType.forMethodParameter(parameter);
            if (declared.toClass() == DelayedTask.class) {
                return declared.getGeneric(0);
            }
            if (isBatch(parameter)) {
                return declared.getGeneric(0).getGeneric(0);
            }
            if (isPayload(parameter)) {
                return declared;
            }
        }
        return null;
    }

    /** The payload of the messages that are made is the delivery. */
    private static boolean takesDelivery(MethodParameter message) {
        return ResolvableType.forMethodParameter(message)
                .getGeneric(0)
                .resolve(Object.class)
                .isAssignableFrom(OpenDelivery.class);
    }

    /** Whether it takes tasks in batches: a list of {@link DelayedTask}s. */
    static boolean isBatch(MethodParameter parameter) {
        return parameter.getParameterType() == List.class
                && parameter.nested().getNestedParameterType() == DelayedTask.class;
    }

    /** Whether a method takes tasks in batches. */
    static boolean takesBatch(Method method) {
        for (int i = 0; i < method.getParameterCount(); i++) {
            if (isBatch(new MethodParameter(method, i))) {
                return true;
            }
        }
        return false;
    }

    /** Whether it is one, and not what a handler may take beside it. */
    static boolean isPayload(MethodParameter parameter) {
        Class<?> type = parameter.getParameterType();
        return !parameter.hasParameterAnnotation(Header.class)
                && !parameter.hasParameterAnnotation(Headers.class)
                && !OTHERS.contains(type)
                && !MessageHeaderAccessor.class.isAssignableFrom(type)
                && !type.getName().equals("kotlin.coroutines.Continuation");
    }
}
