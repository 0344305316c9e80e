// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.listener;

import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.messaging.Message;
import org.springframework.messaging.converter.MessageConversionException;
import org.springframework.messaging.handler.annotation.support.PayloadMethodArgumentResolver;
import org.springframework.validation.Validator;

/**
 * Resolves parameters of type {@code Object} to the payload, decoded by its content type. Spring would use the delivery
 * itself.
 */
final class ObjectArgumentResolver extends PayloadMethodArgumentResolver {

    private final PayloadMessageConverter converter;

    ObjectArgumentResolver(PayloadMessageConverter converter, @Nullable Validator validator) {
        super(converter, validator);
        this.converter = converter;
    }

    @Override
    public boolean supportsParameter(MethodParameter parameter) {
        return parameter.getParameterType() == Object.class;
    }

    @Override
    public Object resolveArgument(MethodParameter parameter, Message<?> message) throws Exception {
        Object payload = converter.fromMessage(message, Object.class, parameter);
        if (payload == null) {
            throw new MessageConversionException(message, "There is no payload");
        }
        validate(message, parameter, payload);
        return payload;
    }
}
