// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import io.delayqueue.DelayQueueException;
import io.delayqueue.annotation.TaskHeaders;
import io.delayqueue.codec.PayloadCodecs;
import io.delayqueue.internal.input.PrintableText;
import java.lang.reflect.Type;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.support.converter.MessageConversionException;
import org.springframework.amqp.support.converter.SimpleMessageConverter;

/**
 * Gives a {@code @RabbitListener} method the object that was scheduled, as the type of its parameter, by the codec that
 * the message's content type names. Only for messages that carry {@link RabbitHeaders#QUEUE}; all others, and those
 * whose listener names no type, are converted as Spring AMQP does by default. Writes messages as that does, too.
 */
public final class DelayQueueMessageConverter extends SimpleMessageConverter {

    private final PayloadCodecs codecs;

    public DelayQueueMessageConverter(PayloadCodecs codecs) {
        this.codecs = codecs;
    }

    /** @throws MessageConversionException if a task's payload cannot be read as the type that the listener takes */
    @Override
    public Object fromMessage(Message message) {
        MessageProperties properties = message.getMessageProperties();
        Type type = properties.getInferredArgumentType();
        if (type == null || type == Object.class || properties.getHeader(RabbitHeaders.QUEUE) == null) {
            return super.fromMessage(message);
        }
        try {
            String contentType = properties.getContentType();
            Object version = properties.getHeader(TaskHeaders.VERSION);
            Map<String, String> headers = version == null ? Map.of() : Map.of(TaskHeaders.VERSION, version.toString());
            return codecs.decode(message.getBody(), contentType == null ? "" : contentType, headers, type);
        } catch (DelayQueueException ex) {
            throw new MessageConversionException(
                    "Task '" + shown(properties.getMessageId()) + "' of queue '"
                            + shown(properties.getHeader(RabbitHeaders.QUEUE)) + "': " + ex.getMessage(),
                    ex);
        }
    }

    /** Whoever may publish may have written it. */
    private static String shown(@Nullable Object foreign) {
        return PrintableText.line(String.valueOf(foreign), 256);
    }
}
