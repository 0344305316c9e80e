// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.listener;

import io.delayqueue.delivery.Delivery;
import io.delayqueue.handler.DeliveryHandler;
import io.delayqueue.handler.NonRetryableTaskException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.springframework.messaging.converter.MessageConversionException;
import org.springframework.messaging.handler.annotation.support.MethodArgumentNotValidException;
import org.springframework.messaging.handler.annotation.support.MethodArgumentTypeMismatchException;
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
        Object result;
        try {
            result = method.invoke(DeliveryMessages.of(delivery));
        } catch (MethodArgumentNotValidException
                | MethodArgumentTypeMismatchException
                | MessageConversionException ex) {
            // the same task cannot make other arguments next time; the message may show the payload, its class does not
            throw new NonRetryableTaskException(
                    "The arguments of " + method.getShortLogMessage() + " could not be made: "
                            + ex.getClass().getSimpleName(),
                    ex);
        }
        return returned.completion(result);
    }
}
