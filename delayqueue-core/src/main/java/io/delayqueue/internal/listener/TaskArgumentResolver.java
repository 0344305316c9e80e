// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.listener;

import io.delayqueue.delivery.OpenDelivery;
import io.delayqueue.handler.DelayedTask;
import io.delayqueue.handler.TaskLease;
import io.delayqueue.internal.handler.DelayedTasks;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.messaging.Message;
import org.springframework.messaging.converter.SimpleMessageConverter;
import org.springframework.messaging.handler.annotation.support.PayloadMethodArgumentResolver;
import org.springframework.validation.Validator;

/**
 * Resolves parameters for the decoded and validated payload, the {@link DelayedTask} and the {@link TaskLease}. Spring
 * would pass the delivery itself to a parameter of type {@code Object}. Skips the parameter that the Kotlin compiler
 * adds to a suspending function; the caller supplies this argument.
 */
final class TaskArgumentResolver extends PayloadMethodArgumentResolver {

    private final DelayedTasks tasks;

    TaskArgumentResolver(DelayedTasks tasks, @Nullable Validator validator) {
        super(new SimpleMessageConverter(), validator); // Converts nothing: the codec of the payload does this.
        this.tasks = tasks;
    }

    @Override
    public boolean supportsParameter(MethodParameter parameter) {
        return parameter.getParameterType() == TaskLease.class
                || PayloadParameter.isContinuation(parameter)
                || PayloadParameter.isPayload(parameter);
    }

    @Override
    public @Nullable Object resolveArgument(MethodParameter parameter, Message<?> message) {
        if (PayloadParameter.isContinuation(parameter)) {
            return null;
        }
        OpenDelivery delivery = (OpenDelivery) message.getPayload();
        if (parameter.getParameterType() == TaskLease.class) {
            return DelayedTasks.lease(delivery);
        }
        Type type = PayloadParameter.decodedType(parameter);
        if (parameter.getParameterType() == DelayedTask.class) {
            return tasks.task(delivery, type);
        }
        Object payload = tasks.payload(delivery, type);
        validate(message, parameter, payload);
        return payload;
    }
}
