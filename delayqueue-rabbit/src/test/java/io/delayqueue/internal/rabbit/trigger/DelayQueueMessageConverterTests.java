// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.trigger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayqueue.BadInput;
import io.delayqueue.BadInput.Case;
import io.delayqueue.LogLines;
import io.delayqueue.codec.JacksonPayloadCodec;
import io.delayqueue.codec.PayloadCodec;
import io.delayqueue.internal.codec.PayloadCodecs;
import io.delayqueue.rabbit.RabbitHeaders;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.support.converter.MessageConversionException;
import org.springframework.amqp.support.converter.SimpleMessageConverter;
import tools.jackson.databind.json.JsonMapper;

class DelayQueueMessageConverterTests {

    private static final String JSON = "{\"id\":7}";

    private final DelayQueueMessageConverter converter =
            new DelayQueueMessageConverter(new PayloadCodecs(List.of(new JacksonPayloadCodec(new JsonMapper()))));

    @Test
    void fromMessageWhenThePayloadDoesNotFitThrowsWithQueueAndId() {
        assertThatThrownBy(() -> converter.fromMessage(task("application/json", List.class)))
                .isInstanceOf(MessageConversionException.class)
                .hasMessageContaining("'order-7'")
                .hasMessageContaining("'orders'")
                .hasMessageNotContaining(JSON);
    }

    @Test
    void fromMessageWhenACodecThrowsAnErrorThrowsAnExceptionThatRejectsTheMessage() {
        PayloadCodec deep = new PayloadCodec() {
            @Override
            public String name() {
                return "deep";
            }

            @Override
            public String contentType() {
                return "application/json";
            }

            @Override
            public byte[] encode(Object payload) {
                throw new StackOverflowError();
            }

            @Override
            public Object decode(byte[] payload, Type type) {
                throw new StackOverflowError();
            }
        };
        DelayQueueMessageConverter overflowing = new DelayQueueMessageConverter(new PayloadCodecs(List.of(deep)));

        assertThatThrownBy(() -> overflowing.fromMessage(task("application/json", Order.class)))
                .as("an error would stop the listener container")
                .isInstanceOf(MessageConversionException.class);
    }

    @Test
    void fromMessageWhenThereIsNoContentTypeRefusesInsteadOfFailing() {
        assertThatThrownBy(() -> converter.fromMessage(task(null, Order.class)))
                .as("a listener container throws such a message away; after another exception it comes again at once")
                .isInstanceOf(MessageConversionException.class);
    }

    @ParameterizedTest
    @MethodSource("hostile")
    void fromMessageWhenTheMessageIsHostileMakesNothingOfItAndShowsNothing(Case<String> hostile) {
        BadInput.Gadget.MADE.set(false);
        for (String contentType : List.of("application/json", "application/x-java-serialized-object")) {
            Message message = task(contentType, Order.class);
            message.getMessageProperties().setMessageId(BadInput.FORGERY);
            message.getMessageProperties().setHeader("__TypeId__", BadInput.Gadget.class.getName());
            Message bad = new Message(hostile.input().getBytes(StandardCharsets.UTF_8), message.getMessageProperties());
            assertThatThrownBy(() -> converter.fromMessage(bad))
                    .isInstanceOf(MessageConversionException.class)
                    .satisfies(thrown -> {
                        LogLines.assertPrintable(thrown.getMessage());
                        LogLines.assertPrintable(thrown.getCause().getMessage());
                    });
        }
        assertThat(BadInput.Gadget.MADE).isFalse();
    }

    static List<Case<String>> hostile() {
        return BadInput.json().toList();
    }

    @Test
    void fromMessageWhenNotATaskOrWithoutATypeDoesAsSpringDoes() {
        Message json = message("application/json", Order.class);
        assertThat(converter.fromMessage(json)).isEqualTo(new SimpleMessageConverter().fromMessage(json));
        Message text = message("text/plain", Order.class);
        assertThat(converter.fromMessage(text)).isEqualTo(JSON);
        assertThat(converter.fromMessage(task("text/plain", null))).isEqualTo(JSON);
        assertThat(converter.fromMessage(task("text/plain", Object.class))).isEqualTo(JSON);
    }

    private static Message task(String contentType, Type type) {
        Message message = message(contentType, type);
        message.getMessageProperties().setHeader(RabbitHeaders.QUEUE, "orders");
        return message;
    }

    private static Message message(String contentType, Type type) {
        MessageProperties properties = new MessageProperties();
        properties.setContentType(contentType);
        properties.setMessageId("order-7");
        properties.setInferredArgumentType(type);
        return new Message(JSON.getBytes(StandardCharsets.UTF_8), properties);
    }

    record Order(int id) {}
}
