// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.trigger;

import io.delayqueue.DelayQueueException;
import io.delayqueue.annotation.TaskHeaders;
import io.delayqueue.internal.codec.PayloadCodecs;
import io.delayqueue.internal.input.PrintableText;
import io.delayqueue.rabbit.RabbitHeaders;
import java.lang.reflect.Type;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.support.converter.MessageConversionException;
import org.springframework.amqp.support.converter.SimpleMessageConverter;

/**
 * Message converter that passes the scheduled object to a {@code @RabbitListener} method. Decodes the payload to the
 * parameter type, with the codec for the message's content type. Applies only to messages that have {@link
 * RabbitHeaders#QUEUE} and whose listener declares a type. Spring AMQP's default converter handles other messages and
 * all outgoing messages.
 */
public final class DelayQueueMessageConverter extends SimpleMessageConverter {

    private final PayloadCodecs codecs;

    public DelayQueueMessageConverter(PayloadCodecs codecs) {
        this.codecs = codecs;
    }

    /** @throws MessageConversionException if a task's payload cannot be read as the listener's type */
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

    /** Sanitizes text from any publisher for a message. */
    private static String shown(@Nullable Object foreign) {
        return PrintableText.line(String.valueOf(foreign), 256);
    }
}
