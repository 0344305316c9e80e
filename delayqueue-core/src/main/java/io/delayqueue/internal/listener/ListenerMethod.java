// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.listener;

import io.delayqueue.delivery.Delivery;
import io.delayqueue.handler.DeliveryHandler;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.springframework.messaging.handler.invocation.InvocableHandlerMethod;

/** Calls a listener method with a delivery. */
final class ListenerMethod implements DeliveryHandler {

    private final InvocableHandlerMethod method;
    private final ListenerReturn returned;

    ListenerMethod(InvocableHandlerMethod method, ListenerReturn returned) {
        this.method = method;
        this.returned = returned;
    }

    @Override
    public @Nullable CompletionStage<?> handle(Delivery delivery) throws Exception {
        return returned.completion(method.invoke(DeliveryMessages.of(delivery)));
    }
}
