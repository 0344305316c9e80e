// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.delayqueue.LogLines;
import io.delayqueue.PayloadConversionException;
import io.delayqueue.codec.JacksonPayloadCodec;
import io.delayqueue.codec.MessagePackPayloadCodec;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/** The codecs, given any bytes: they read them, or say in their own words that they cannot. */
class PayloadFuzzTests {

    record Order(String id, int amount, List<Map<String, Object>> lines) {}

    private final PayloadCodecs codecs =
            new PayloadCodecs(List.of(new JacksonPayloadCodec(new JsonMapper()), new MessagePackPayloadCodec()));

    @FuzzTest
    void json(byte[] bytes) {
        read(bytes, "application/json");
    }

    @FuzzTest
    void messagePack(byte[] bytes) {
        read(bytes, "application/msgpack");
    }

    private void read(byte[] bytes, String contentType) {
        for (Class<?> type : List.of(Order.class, Object.class)) {
            try {
                assertThat(codecs.decode(bytes, contentType, type)).isInstanceOf(type);
            } catch (PayloadConversionException ex) {
                assertThat(ex).hasNoCause();
                LogLines.assertPrintable(ex.getMessage());
            }
        }
    }
}
