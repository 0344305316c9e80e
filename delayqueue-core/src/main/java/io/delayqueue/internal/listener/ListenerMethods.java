// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.listener;

import io.delayqueue.DelayQueueException;
import io.delayqueue.annotation.DelayQueueHandler;
import io.delayqueue.annotation.TaskHeaders;
import io.delayqueue.annotation.TaskType;
import io.delayqueue.delivery.OpenDelivery;
import io.delayqueue.handler.NonRetryableTaskException;
import io.delayqueue.internal.handler.DeliveryHandler;
import io.delayqueue.internal.input.PrintableText;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;

/** Calls, for each task, the method of a class that handles the type of its payload, or else the default method. */
record ListenerMethods(
        Class<?> type,
        Map<String, DeliveryHandler> byType,
        @Nullable DeliveryHandler otherwise) {

    /**
     * Creates the handler of a class.
     *
     * @param type the class of the bean
     * @param calling creates the caller of a method
     * @throws DelayQueueException if the methods are ambiguous
     */
    static DeliveryHandler of(Class<?> type, ListenerEndpoint endpoint, Function<Method, DeliveryHandler> calling) {
        Map<String, DeliveryHandler> byType = new TreeMap<>();
        DeliveryHandler otherwise = null;
        for (Method method : endpoint.methods()) {
            DelayQueueHandler mark = AnnotatedElementUtils.findMergedAnnotation(method, DelayQueueHandler.class);
            DeliveryHandler handler = calling.apply(method);
            if (handler.takesBatches()) {
                throw new DelayQueueException("the @DelayQueueHandler method " + method
                        + " takes a list of tasks, which may have several types. Make it a "
                        + "@DelayQueueListener");
            }
            if (mark != null && mark.isDefault()) {
                if (otherwise != null) {
                    throw new DelayQueueException("it has two default @DelayQueueHandler methods, including " + method);
                }
                otherwise = handler;
            } else if (byType.put(typeOf(method, type), handler) != null) {
                throw new DelayQueueException("it has two @DelayQueueHandler methods for the type '"
                        + typeOf(method, type) + "', including " + method);
            }
        }
        if (endpoint.methods().isEmpty()) {
            throw new DelayQueueException("none of its methods has @DelayQueueHandler");
        }
        ListenerMethods methods = new ListenerMethods(type, byType, otherwise);
        return new DeliveryHandler(methods::handle, false, methods::isTooNew);
    }

    private static String typeOf(Method method, Class<?> type) {
        Class<?> payload = PayloadParameter.typeOf(method, type);
        TaskType name = (payload == null) ? null : payload.getAnnotation(TaskType.class);
        if (name == null) {
            throw new DelayQueueException(
                    "@DelayQueueHandler method " + method + " does not declare which tasks it handles: "
                            + (payload == null
                                    ? "it has no parameter for the payload"
                                    : payload.getName() + " has no @TaskType")
                            + ". Give the class of its payload a @TaskType, or make it the default (isDefault = true)");
        }
        return name.value();
    }

    private @Nullable DeliveryHandler handlerOf(OpenDelivery delivery) {
        String name = delivery.content().headers().get(TaskHeaders.TYPE);
        return (name == null) ? otherwise : byType.getOrDefault(name, otherwise);
    }

    private boolean isTooNew(OpenDelivery delivery) {
        DeliveryHandler handler = handlerOf(delivery);
        return handler != null && handler.tooNew().test(delivery);
    }

    private @Nullable CompletionStage<?> handle(List<OpenDelivery> deliveries) throws Exception {
        DeliveryHandler handler = handlerOf(deliveries.get(0));
        if (handler == null) {
            String name = deliveries.get(0).content().headers().get(TaskHeaders.TYPE);
            throw new NonRetryableTaskException("No @DelayQueueHandler method of " + type.getName() + " takes "
                    + (name == null
                            ? "tasks without a type (@TaskType)"
                            : "the type '" + PrintableText.of(name, 128) + "'")
                    + ". Available: " + byType.keySet());
        }
        return handler.call().handle(deliveries);
    }
}
