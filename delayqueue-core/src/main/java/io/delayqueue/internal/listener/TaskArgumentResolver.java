// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.listener;

import io.delayqueue.delivery.OpenDelivery;
import io.delayqueue.handler.DelayedTask;
import io.delayqueue.handler.TaskLease;
import io.delayqueue.internal.handler.DelayedTasks;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import org.springframework.core.GenericTypeResolver;
import org.springframework.core.MethodParameter;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.invocation.HandlerMethodArgumentResolver;

/** Resolves parameters of type {@link DelayedTask} and {@link TaskLease}. */
final class TaskArgumentResolver implements HandlerMethodArgumentResolver {

    private final DelayedTasks tasks;

    TaskArgumentResolver(DelayedTasks tasks) {
        this.tasks = tasks;
    }

    @Override
    public boolean supportsParameter(MethodParameter parameter) {
        return parameter.getParameterType() == DelayedTask.class || parameter.getParameterType() == TaskLease.class;
    }

    @Override
    public Object resolveArgument(MethodParameter parameter, Message<?> message) {
        OpenDelivery delivery = (OpenDelivery) message.getPayload();
        if (parameter.getParameterType() == TaskLease.class) {
            return DelayedTasks.lease(delivery);
        }
        return tasks.task(delivery, payloadType(parameter));
    }

    private static Type payloadType(MethodParameter parameter) {
        if (parameter.getGenericParameterType() instanceof ParameterizedType type) {
            return PayloadParameter.bound(
                    GenericTypeResolver.resolveType(type.getActualTypeArguments()[0], parameter.getContainingClass()));
        }
        throw new IllegalStateException("Specify the payload type: DelayedTask<...> at " + parameter);
    }
}
