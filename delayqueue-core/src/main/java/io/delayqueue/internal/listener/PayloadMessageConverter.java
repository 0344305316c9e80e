// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.listener;

import io.delayqueue.delivery.Delivery;
import io.delayqueue.internal.handler.DelayedTasks;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;
import org.springframework.core.GenericTypeResolver;
import org.springframework.core.MethodParameter;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHeaders;
import org.springframework.messaging.converter.SmartMessageConverter;

/** Decodes the payload of a delivery to the type of its parameter, including generics. */
final class PayloadMessageConverter implements SmartMessageConverter {

    private final DelayedTasks tasks;

    PayloadMessageConverter(DelayedTasks tasks) {
        this.tasks = tasks;
    }

    @Override
    public @Nullable Object fromMessage(Message<?> message, Class<?> targetClass, @Nullable Object conversionHint) {
        Type type = (conversionHint instanceof MethodParameter parameter)
                ? PayloadParameter.bound(GenericTypeResolver.resolveType(
                        parameter.getGenericParameterType(), parameter.getContainingClass()))
                : targetClass;
        return fromMessage(message, type);
    }

    @Override
    public @Nullable Object fromMessage(Message<?> message, Class<?> targetClass) {
        return fromMessage(message, (Type) targetClass);
    }

    private @Nullable Object fromMessage(Message<?> message, Type type) {
        return (message.getPayload() instanceof Delivery delivery) ? tasks.payload(delivery, type) : null;
    }

    @Override
    public @Nullable Message<?> toMessage(
            Object payload, @Nullable MessageHeaders headers, @Nullable Object conversionHint) {
        return null;
    }

    @Override
    public @Nullable Message<?> toMessage(Object payload, @Nullable MessageHeaders headers) {
        return null;
    }
}
