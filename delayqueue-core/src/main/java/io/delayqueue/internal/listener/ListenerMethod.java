// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.listener;

import io.delayqueue.delivery.Delivery;
import io.delayqueue.handler.DeliveryHandler;
import io.delayqueue.handler.NonRetryableTaskException;
import java.util.concurrent.CompletionStage;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.messaging.converter.MessageConversionException;
import org.springframework.messaging.handler.annotation.support.MethodArgumentNotValidException;
import org.springframework.messaging.handler.annotation.support.MethodArgumentTypeMismatchException;
import org.springframework.messaging.handler.invocation.InvocableHandlerMethod;
import org.springframework.validation.BindingResult;

/** Calls a listener method with a delivery. */
final class ListenerMethod implements DeliveryHandler {

    private static final int MOST_SHOWN = 5;
    private static final Pattern KEYS = Pattern.compile("\\[[^]]*]");

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
            // the same task cannot make other arguments next time; the message may show the payload, and so may the
            // cause that
            // would go to the log with it
            throw new NonRetryableTaskException("The arguments of " + method.getShortLogMessage()
                    + " could not be made: " + ex.getClass().getSimpleName() + constraints(ex));
        }
        return returned.completion(result);
    }

    /** What is not valid: the names of fields, of whose keys and indexes nothing is shown, and of what they break. */
    private static String constraints(Exception ex) {
        BindingResult broken =
                (ex instanceof MethodArgumentNotValidException invalid) ? invalid.getBindingResult() : null;
        return broken == null
                ? ""
                : broken.getFieldErrors().stream()
                        .limit(MOST_SHOWN)
                        .map(error -> KEYS.matcher(error.getField()).replaceAll("[]") + ": " + error.getCode())
                        .collect(Collectors.joining(", ", " (", ")"));
    }
}
