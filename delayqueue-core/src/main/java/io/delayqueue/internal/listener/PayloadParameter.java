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
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.GenericTypeResolver;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHeaders;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.Headers;
import org.springframework.messaging.handler.annotation.ValueConstants;
import org.springframework.messaging.support.MessageHeaderAccessor;
import org.springframework.validation.annotation.Validated;

/** Finds the parameter of a listener method that takes the payload. */
final class PayloadParameter {

    private static final Set<Class<?>> OTHERS =
            Set.of(TaskLease.class, Delivery.class, OpenDelivery.class, Message.class, MessageHeaders.class);

    private PayloadParameter() {}

    /**
     * Returns the payload class of a method: the class of its parameter, or of the payload of its {@link DelayedTask}.
     *
     * @param type the class of the bean, which may define the method's type variables
     * @return the class; null if the method takes no payload
     */
    static @Nullable Class<?> typeOf(Method method, Class<?> type) {
        ResolvableType found = find(method, type);
        return (found == null) ? null : found.toClass();
    }

    static @Nullable Type genericTypeOf(Method method, Class<?> type) {
        ResolvableType found = find(method, type);
        return (found == null) ? null : bound(GenericTypeResolver.resolveType(found.getType(), type));
    }

    /**
     * Returns the type to decode to if the declared type is a wildcard or a variable: its bound, for example {@code
     * Object} for {@code ?}.
     */
    static Type bound(Type type) {
        if (type instanceof WildcardType wildcard) {
            return bound(wildcard.getUpperBounds()[0]);
        }
        return (type instanceof TypeVariable<?> variable) ? bound(variable.getBounds()[0]) : type;
    }

    /**
     * Rejects parameters that cannot be resolved for every task.
     *
     * @throws DelayQueueException if there are any
     */
    static void check(Method method) {
        if (takesBatch(method) && method.getParameterCount() > (KotlinDetector.isSuspendingFunction(method) ? 2 : 1)) {
            throw new DelayQueueException(
                    "it takes a list of tasks and another parameter, which could belong to any of these tasks. "
                            + "Take only the list; each DelayedTask has its headers and its lease");
        }
        for (int i = 0; i < method.getParameterCount(); i++) {
            MethodParameter parameter = new MethodParameter(method, i);
            if (parameter.getParameterType() == Message.class && !takesDelivery(parameter)) {
                throw new DelayQueueException(
                        "it takes a Message. Take the payload itself or a DelayedTask<...>, and headers"
                                + " by @Header or @Headers");
            }
            if (parameter.getParameterType() == Optional.class && isPayload(parameter)) {
                throw new DelayQueueException(
                        "it takes an Optional of a value that a task always has. Take the payload, the "
                                + "DelayedTask<...> or the TaskLease itself. Only a @Header may be an Optional");
            }
            if (isValidated(parameter) && (parameter.getParameterType() == DelayedTask.class || isBatch(parameter))) {
                throw new DelayQueueException("it has @Valid on a DelayedTask, whose payload is decoded when the method"
                        + " asks for it. Take the payload itself, or validate it in the method");
            }
            if (parameter.getParameterType() == DelayedTask.class
                    && !(parameter.getGenericParameterType() instanceof ParameterizedType)) {
                throw new DelayQueueException("it takes a DelayedTask without a payload type. Write DelayedTask<...>");
            }
            if (parameter.getParameterType().isPrimitive() && mayBeAbsent(parameter)) {
                throw new DelayQueueException("its optional @Header is of type "
                        + parameter.getParameterType()
                        + ", which cannot be absent. Use the wrapper type or an Optional, or set a "
                        + "defaultValue");
            }
        }
    }

    /** Returns whether a method requires the validation of a parameter. */
    static boolean isValidated(Method method) {
        return parameters(method).anyMatch(PayloadParameter::isValidated);
    }

    private static Stream<MethodParameter> parameters(Method method) {
        return IntStream.range(0, method.getParameterCount()).mapToObj(i -> new MethodParameter(method, i));
    }

    /** Returns whether a parameter is validated. Recognizes the same annotations as Spring's payload resolver. */
    private static boolean isValidated(MethodParameter parameter) {
        return Stream.of(parameter.getParameterAnnotations())
                .anyMatch(annotation -> AnnotationUtils.getAnnotation(annotation, Validated.class) != null
                        || annotation.annotationType().getSimpleName().startsWith("Valid"));
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

    /** Returns whether a parameter is a message whose payload is the delivery. */
    private static boolean takesDelivery(MethodParameter message) {
        return ResolvableType.forMethodParameter(message)
                .getGeneric(0)
                .resolve(Object.class)
                .isAssignableFrom(OpenDelivery.class);
    }

    /** Returns whether the parameter is a batch: a list of {@link DelayedTask}s. */
    static boolean isBatch(MethodParameter parameter) {
        return parameter.getParameterType() == List.class
                && parameter.nested().getNestedParameterType() == DelayedTask.class;
    }

    static boolean takesBatch(Method method) {
        return parameters(method).anyMatch(PayloadParameter::isBatch);
    }

    static boolean isPayload(MethodParameter parameter) {
        Class<?> type = parameter.getParameterType();
        return !parameter.hasParameterAnnotation(Header.class)
                && !parameter.hasParameterAnnotation(Headers.class)
                && !OTHERS.contains(type)
                && !MessageHeaderAccessor.class.isAssignableFrom(type)
                && !isContinuation(parameter);
    }

    static boolean isContinuation(MethodParameter parameter) {
        return parameter.getParameterType().getName().equals("kotlin.coroutines.Continuation");
    }

    /** Returns the type of the decoded payload of a parameter, or of its {@link DelayedTask}. */
    static Type decodedType(MethodParameter parameter) {
        Type type = parameter.getNestedGenericParameterType();
        boolean wrapped = parameter.getNestedParameterType() == DelayedTask.class && type instanceof ParameterizedType;
        return bound(GenericTypeResolver.resolveType(
                wrapped ? ((ParameterizedType) type).getActualTypeArguments()[0] : type,
                parameter.getContainingClass()));
    }
}
