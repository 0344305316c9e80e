// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.listener;

import io.delayqueue.DelayQueueException;
import io.delayqueue.delivery.Delivery;
import io.delayqueue.delivery.OpenDelivery;
import io.delayqueue.handler.DelayedTask;
import io.delayqueue.handler.TaskLease;
import java.lang.reflect.Method;
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
        return find(method, type)
                .<Class<?>>map(parameter -> payload(parameter).toClass())
                .orElse(null);
    }

    static @Nullable Type genericTypeOf(Method method, Class<?> type) {
        return find(method, type).map(PayloadParameter::decodedType).orElse(null);
    }

    /**
     * Returns the type to decode to if the declared type is a wildcard or a variable: its bound, for example {@code
     * Object} for {@code ?}.
     */
    private static Type bound(Type type) {
        if (type instanceof WildcardType wildcard) {
            return bound(wildcard.getUpperBounds()[0]);
        }
        return (type instanceof TypeVariable<?> variable) ? bound(variable.getBounds()[0]) : type;
    }

    /**
     * Rejects parameters that cannot be resolved for every task.
     *
     * @param type the class of the bean
     * @throws DelayQueueException if there are any
     */
    static void check(Method method, Class<?> type) {
        if (takesBatch(method, type)
                && method.getParameterCount() > (KotlinDetector.isSuspendingFunction(method) ? 2 : 1)) {
            throw new DelayQueueException(
                    "it takes a list of tasks and another parameter, which could belong to any of these tasks. "
                            + "Take only the list; each DelayedTask has its headers and its lease");
        }
        for (MethodParameter parameter : parameters(method, type).toList()) {
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
            if (payload(parameter).getType().equals(DelayedTask.class.getTypeParameters()[0])) {
                throw new DelayQueueException("it takes a DelayedTask without a payload type. Write DelayedTask<...>");
            }
            if (payload(parameter).toString().contains(DelayedTask.class.getName())) {
                throw new DelayQueueException("it takes tasks as " + payload(parameter)
                        + ". Take one DelayedTask<...>, or a List<DelayedTask<...>> for a batch");
            }
            if (parameter.getParameterType().isPrimitive() && mayBeAbsent(parameter)) {
                throw new DelayQueueException("its optional @Header is of type "
                        + parameter.getParameterType()
                        + ", which cannot be absent. Use the wrapper type or an Optional, or set a "
                        + "defaultValue");
            }
        }
    }

    /** Returns the classes of the payloads whose validation a method requires. */
    static Stream<Class<?>> validated(Method method, Class<?> type) {
        return parameters(method, type)
                .filter(parameter -> isPayload(parameter) && isValidated(parameter))
                .map(parameter -> payload(parameter).toClass());
    }

    private static Stream<MethodParameter> parameters(Method method, Class<?> type) {
        return IntStream.range(0, method.getParameterCount())
                .mapToObj(i -> new MethodParameter(method, i).withContainingClass(type));
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

    private static Optional<MethodParameter> find(Method method, Class<?> type) {
        return parameters(method, type).filter(PayloadParameter::isPayload).findFirst();
    }

    /** Returns the type of a parameter, or of the payload of its {@link DelayedTask}s. */
    private static ResolvableType payload(MethodParameter parameter) {
        ResolvableType declared = ResolvableType.forMethodParameter(parameter);
        ResolvableType task = isBatch(parameter) ? declared.getGeneric(0) : declared;
        return (task.toClass() == DelayedTask.class) ? task.getGeneric(0) : declared;
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
                && ResolvableType.forMethodParameter(parameter).getGeneric(0).toClass() == DelayedTask.class;
    }

    static boolean takesBatch(Method method, Class<?> type) {
        return parameters(method, type).anyMatch(PayloadParameter::isBatch);
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

    /** Returns the type of the decoded payload of a parameter, or of its {@link DelayedTask}s. */
    static Type decodedType(MethodParameter parameter) {
        return bound(GenericTypeResolver.resolveType(payload(parameter).getType(), parameter.getContainingClass()));
    }
}
