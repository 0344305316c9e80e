// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.delayqueue.PayloadConversionException;
import io.delayqueue.codec.JacksonPayloadCodec;
import io.delayqueue.codec.MessagePackPayloadCodec;
import io.delayqueue.codec.PayloadCodec;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.msgpack.jackson.dataformat.MessagePackMapper;
import org.springframework.core.ResolvableType;
import tools.jackson.databind.json.JsonMapper;

class PayloadCodecsTests {

    record Order(String id, int amount, Instant placed, List<String> lines) {}

    /** A class that an attacker would like to have instantiated. */
    static final class Gadget {
        static final AtomicBoolean MADE = new AtomicBoolean();

        Gadget() {
            MADE.set(true);
        }

        public void setCommand(String command) {
            MADE.set(true);
        }
    }

    private static final Order ORDER =
            new Order("o-1", 42, Instant.parse("2026-01-02T03:04:05.678Z"), List.of("a", "\u00e4"));

    private final PayloadCodecs codecs = new PayloadCodecs(
            List.of(new JacksonPayloadCodec(JsonMapper.builder().build()), new MessagePackPayloadCodec()));

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static Type listOfOrders() {
        return new ParameterizedType() {
            @Override
            public Type[] getActualTypeArguments() {
                return new Type[] {Order.class};
            }

            @Override
            public Type getRawType() {
                return List.class;
            }

            @Override
            public Type getOwnerType() {
                return null;
            }
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"json", "msgpack"})
    void decodeWhenEncodedGivesBackTheObject(String codec) {
        var encoded = codecs.encode(ORDER, codec);
        var list = codecs.encode(List.of(ORDER), codec);

        assertThat(encoded.contentType()).isEqualTo("application/" + codec);
        assertThat(codecs.decode(encoded.bytes(), encoded.contentType(), Order.class))
                .isEqualTo(ORDER);
        assertThat(codecs.decode(list.bytes(), list.contentType(), listOfOrders()))
                .isEqualTo(List.of(ORDER));
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
    @JsonSubTypes(@JsonSubTypes.Type(value = Circle.class, name = "circle"))
    sealed interface Shape permits Circle {}

    record Circle(int radius) implements Shape {}

    record Drawing(List<Shape> shapes) {}

    /** A list does not know the type of its elements at run time, so Jackson writes no type ids. */
    @ParameterizedTest
    @ValueSource(strings = {"json", "msgpack"})
    void decodeWhenElementsHaveTypeIdsReadsThemOnlyFromAClassThatDeclaresThem(String codec) {
        Drawing drawing = new Drawing(List.of(new Circle(1)));
        var declared = codecs.encode(drawing, codec);
        var bare = codecs.encode(drawing.shapes(), codec);

        assertThat(codecs.decode(declared.bytes(), declared.contentType(), Drawing.class))
                .isEqualTo(drawing);
        Type shapes =
                ResolvableType.forClassWithGenerics(List.class, Shape.class).getType();
        assertThatExceptionOfType(PayloadConversionException.class)
                .isThrownBy(() -> codecs.decode(bare.bytes(), bare.contentType(), shapes))
                .withMessageContaining("InvalidTypeId");
    }

    record Moments(Instant instant, Duration duration, LocalDate day) {}

    @ParameterizedTest
    @ValueSource(strings = {"json", "msgpack"})
    void decodeWhenMomentsHaveNanosecondsGivesThemBack(String codec) {
        Moments moments = new Moments(
                Instant.parse("2026-01-02T03:04:05.678901234Z"),
                Duration.ofSeconds(Long.MAX_VALUE / 4, 123_456_789),
                LocalDate.of(2026, 1, 2));
        var encoded = codecs.encode(moments, codec);
        assertThat(codecs.decode(encoded.bytes(), encoded.contentType(), Moments.class))
                .isEqualTo(moments);
    }

    @Test
    void decodeWhenMessagePackHasMomentsAsNumbersReadsThem() throws Exception {
        Moments moments = new Moments(
                Instant.parse("2026-01-02T03:04:05.678Z"), Duration.ofMillis(1500), LocalDate.of(2026, 1, 2));
        byte[] numbers = new MessagePackMapper().findAndRegisterModules().writeValueAsBytes(moments);
        assertThat(codecs.decode(numbers, "application/msgpack", Moments.class)).isEqualTo(moments);
    }

    @Test
    void encodeWhenMessagePackCannotHoldANumberSaysSoWithoutShowingIt() {
        assertThatExceptionOfType(PayloadConversionException.class)
                .isThrownBy(() -> codecs.encode(Map.of("a", new BigDecimal("1795321492.721650523")), "msgpack"))
                .withMessageContaining("cannot be written as MessagePack")
                .withMessageNotContaining("1795321492");
    }

    @Test
    void decodeWhenTheQueuesCodecChangedReadsByContentType() {
        var old = codecs.encode(ORDER, "json");
        var young = codecs.encode(ORDER, "msgpack");

        assertThat(codecs.decode(old.bytes(), old.contentType(), Order.class))
                .isEqualTo(codecs.decode(young.bytes(), young.contentType(), Order.class));
    }

    @Test
    void encodeWhenPayloadIsTextOrBytesPassesItAsItIs() {
        byte[] bytes = {0, -1, 34};

        var text = codecs.encode("\"\u20ac\"", "json");
        var raw = codecs.encode(bytes, "msgpack");

        assertThat(text.contentType()).isEqualTo("text/plain;charset=UTF-8");
        assertThat(text.bytes()).isEqualTo(utf8("\"\u20ac\""));
        assertThat(codecs.decode(text.bytes(), text.contentType(), String.class))
                .isEqualTo("\"\u20ac\"");
        assertThat(raw.contentType()).isEqualTo("application/octet-stream");
        assertThat(raw.bytes()).isEqualTo(bytes).isNotSameAs(bytes);
        assertThat(codecs.decode(raw.bytes(), raw.contentType(), byte[].class)).isEqualTo(bytes);
    }

    @Test
    void decodeWhenJsonIsAskedForAsTextGivesTheJson() {
        assertThat(codecs.decode(utf8("{\"a\":1}"), "application/json", String.class))
                .isEqualTo("{\"a\":1}");
    }

    @Test
    void decodeWhenAnObjectIsAskedForGivesWhatTheContentTypeHas() {
        byte[] bytes = {0, -1, 34};
        assertThat(codecs.decode(utf8("{\"a\":1}"), "application/json", Object.class))
                .isEqualTo(Map.of("a", 1));
        assertThat(codecs.decode(utf8("text"), "text/plain;charset=UTF-8", Object.class))
                .isEqualTo("text");
        assertThat(codecs.decode(bytes, "application/octet-stream", Object.class))
                .isEqualTo(bytes);
    }

    @Test
    void decodeWhenBytesAreAskedForAsTextRefuses() {
        assertThatExceptionOfType(PayloadConversionException.class)
                .isThrownBy(() -> codecs.decode(new byte[] {1}, "application/octet-stream", String.class))
                .withMessageContaining("application/octet-stream");
    }

    @Test
    void encodeWhenTheCodecIsUnknownNamesTheKnownOnes() {
        assertThatExceptionOfType(PayloadConversionException.class)
                .isThrownBy(() -> codecs.encode(ORDER, "xml"))
                .withMessageContaining("'xml'")
                .withMessageContaining("[json, msgpack]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"@class", "@type", "class"})
    void decodeWhenTheDataNamesAClassNeverMakesIt(String property) {
        String name = Gadget.class.getName();
        String hostile = "{\"" + property + "\":\"" + name + "\",\"command\":\"x\",\"id\":\"o\",\"amount\":1}";
        String wrapped = "[\"" + name + "\",{\"command\":\"x\"}]";
        Gadget.MADE.set(false);

        for (Type type : new Type[] {Object.class, Map.class, List.class, Order.class}) {
            for (String data : new String[] {hostile, wrapped}) {
                try {
                    Object value = codecs.decode(utf8(data), "application/json", type);
                    assertThat(value).isNotInstanceOf(Gadget.class);
                } catch (PayloadConversionException expected) {
                    assertThat(expected).hasMessageContaining(type.getTypeName());
                }
            }
        }

        assertThat(Gadget.MADE).isFalse();
    }

    @Test
    void decodeWhenMessagePackNamesAClassNeverMakesIt() {
        var hostile = codecs.encode(Map.of("@class", Gadget.class.getName(), "command", "x"), "msgpack");
        Gadget.MADE.set(false);

        assertThat(codecs.decode(hostile.bytes(), hostile.contentType(), Object.class))
                .isInstanceOf(Map.class);
        assertThat(Gadget.MADE).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"json", "msgpack"})
    void decodeWhenBytesDoNotFitTheTypeThrowsWithoutShowingThem(String codec) {
        String contentType = "application/" + codec;
        for (byte[] bytes : new byte[][] {
            utf8("{\"secret"),
            {},
            {-63},
            codecs.encode(List.of("secret"), codec).bytes()
        }) {
            assertThatExceptionOfType(PayloadConversionException.class)
                    .isThrownBy(() -> codecs.decode(bytes, contentType, Order.class))
                    .matches(ex -> !ex.getMessage().contains("secret"));
        }
        assertThatExceptionOfType(PayloadConversionException.class)
                .isThrownBy(() -> codecs.decode(
                        codec.equals("json") ? utf8("null") : new byte[] {-64}, contentType, Order.class));
    }

    @ParameterizedTest
    @ValueSource(strings = {"json", "msgpack"})
    void decodeWhenAFieldIsNoLongerThereIgnoresIt(String codec) {
        var old = codecs.encode(Map.of("card", "x", "gone", 1), codec);

        assertThat(codecs.decode(old.bytes(), old.contentType(), Card.class)).isEqualTo(new Card("x"));
    }

    record Card(String card) {}

    @ParameterizedTest
    @ValueSource(strings = {"application/json", "application/msgpack"})
    void decodeWhenAPayloadIsNestedTooDeepThrowsAConversionException(String contentType) {
        byte[] nested = contentType.endsWith("json") ? utf8("{\"a\":".repeat(20_000)) : maps(40_000);

        for (Type type : List.of(Object.class, Map.class, Order.class)) {
            assertThatThrownBy(() -> codecs.decode(nested, contentType, type))
                    .isInstanceOf(PayloadConversionException.class)
                    .satisfies(thrown -> assertThat(thrown.getMessage()).doesNotContain("StackOverflow"));
        }
    }

    /** As many maps in each other, each with the key "a": three bytes. */
    private static byte[] maps(int depth) {
        byte[] bytes = new byte[3 * depth];
        for (int i = 0; i < depth; i++) {
            bytes[3 * i] = (byte) 0x81;
            bytes[3 * i + 1] = (byte) 0xa1;
            bytes[3 * i + 2] = 'a';
        }
        return bytes;
    }

    @Test
    void decodeWhenMessagePackIsNestedAsDeepAsAllowedReadsIt() {
        byte[] nested = maps(500);
        byte[] whole = Arrays.copyOf(nested, nested.length + 1);
        whole[nested.length] = 1;

        assertThat(codecs.decode(whole, "application/msgpack", Map.class)).isInstanceOf(Map.class);
    }

    @Test
    void decodeWhenMessagePackClaimsMoreThanThereIsThrowsAConversionException() {
        byte[][] claims = {
            {(byte) 0xdb, 0x7f, (byte) 0xff, (byte) 0xff, (byte) 0xff, 'x'},
            {(byte) 0xc6, 0x7f, (byte) 0xff, (byte) 0xff, (byte) 0xff, 'x'},
            {(byte) 0xdd, 0x7f, (byte) 0xff, (byte) 0xff, (byte) 0xff, 1},
            {(byte) 0xdf, 0x7f, (byte) 0xff, (byte) 0xff, (byte) 0xff, 1},
        };
        for (byte[] claim : claims) {
            assertThatThrownBy(() -> codecs.decode(claim, "application/msgpack", Object.class))
                    .isInstanceOf(PayloadConversionException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"json", "msgpack"})
    void encodeWhenAPayloadContainsItselfThrowsAConversionException(String codec) {
        Map<String, Object> endless = new HashMap<>();
        endless.put("self", endless);

        assertThatThrownBy(() -> codecs.encode(endless, codec)).isInstanceOf(PayloadConversionException.class);
    }

    @ParameterizedTest
    @ValueSource(classes = {StackOverflowError.class, NoSuchMethodError.class, IllegalStateException.class})
    void codecOfTheApplicationWhenItThrowsAnythingMakesAConversionException(Class<? extends Throwable> thrown) {
        PayloadCodecs throwing = new PayloadCodecs(List.of(new ThrowingCodec(thrown)));

        assertThatThrownBy(() -> throwing.encode(ORDER, "throwing"))
                .isInstanceOf(PayloadConversionException.class)
                .hasCauseInstanceOf(thrown);
        assertThatThrownBy(() -> throwing.decode(new byte[1], "x/throwing", Order.class))
                .isInstanceOf(PayloadConversionException.class)
                .hasMessageContaining(thrown.getName());
    }

    @Test
    void codecWhenMemoryIsShortSaysNothingAboutThePayload() {
        PayloadCodecs throwing = new PayloadCodecs(List.of(new ThrowingCodec(OutOfMemoryError.class)));

        assertThatThrownBy(() -> throwing.decode(new byte[1], "x/throwing", Order.class))
                .isInstanceOf(OutOfMemoryError.class);
    }

    private record ThrowingCodec(Class<? extends Throwable> thrown) implements PayloadCodec {

        @Override
        public String name() {
            return "throwing";
        }

        @Override
        public String contentType() {
            return "x/throwing";
        }

        @Override
        public byte[] encode(Object payload) {
            throw sneaky();
        }

        @Override
        public Object decode(byte[] payload, Type type) {
            throw sneaky();
        }

        @SuppressWarnings("unchecked")
        private <T extends Throwable> T sneaky() throws T {
            try {
                throw (T) thrown.getConstructor().newInstance();
            } catch (ReflectiveOperationException ex) {
                throw new AssertionError(ex);
            }
        }
    }
}
