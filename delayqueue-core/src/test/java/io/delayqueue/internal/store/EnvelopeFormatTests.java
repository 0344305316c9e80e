// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.DeliveryWindow;
import io.delayqueue.LocalDueTime;
import io.delayqueue.TaskContent;
import java.nio.charset.StandardCharsets;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EnvelopeFormatTests {

    private static final byte[] REQUEST_ID = HexFormat.of().parseHex("000102030405060708090a0b0c0d0e0f");

    @Test
    void encodeWhenThereAreNoHeadersAddsTwentyBytes() {
        byte[] envelope =
                EnvelopeFormat.encode(REQUEST_ID, new TaskContent("application/json", Map.of(), new byte[100]));

        assertThat(envelope.length - 100).isEqualTo(20).isLessThan(50);
    }

    @Test
    void encodeWhenGivenKnownContentWritesTheseBytesForEver() {
        byte[] payload = "{}".getBytes(StandardCharsets.UTF_8);

        assertThat(EnvelopeFormat.encode(REQUEST_ID, new TaskContent("application/json", Map.of(), payload)))
                .asHexString()
                .isEqualToIgnoringCase("0143000102030405060708090A0B0C0D0E0F01007B7D");
        assertThat(EnvelopeFormat.encode(REQUEST_ID, new TaskContent("a/b", Map.of("k", "v\u00e4"), payload)))
                .asHexString()
                .isEqualToIgnoringCase("0143000102030405060708090A0B0C0D0E0F0003612F6201016B0376C3A47B7D");
    }

    /** Scripts look for the first of these, and processes of other versions for all. */
    @Test
    void encodeWhenATaskSaysMoreOfItsTimeWritesTheseBytesForEver() {
        Map<String, String> headers = new TimingHeaders(
                        Duration.ofMinutes(10),
                        DeliveryWindow.between(LocalTime.of(9, 0), LocalTime.of(21, 30))
                                .inZone(ZoneId.of("Europe/Berlin"))
                                .onDays(DayOfWeek.SUNDAY, DayOfWeek.MONDAY),
                        new LocalDueTime(LocalDateTime.of(2027, 3, 28, 9, 30), ZoneId.of("Europe/Berlin")),
                        Instant.ofEpochMilli(1_806_219_000_000L))
                .addTo(Map.of("k", "v"));

        byte[] envelope =
                EnvelopeFormat.encode(REQUEST_ID, new TaskContent("application/json", headers, new byte[] {'{', '}'}));

        String text = "\1c" + new String(REQUEST_ID, StandardCharsets.ISO_8859_1)
                + "\1\4"
                + "\20dq-expires-after\6" + "600000"
                + "\1k\1v"
                + "\11dq-window\47" + "09:00-21:30 Europe/Berlin MONDAY,SUNDAY"
                + "\15dq-local-time\55" + "2027-03-28T09:30[Europe/Berlin]=1806219000000"
                + "{}";
        assertThat(new String(envelope, StandardCharsets.ISO_8859_1)).isEqualTo(text);
        TaskContent decoded = Objects.requireNonNull(EnvelopeFormat.decode(envelope));
        assertThat(TimingHeaders.of(decoded.headers())).isEqualTo(TimingHeaders.of(headers));
    }

    @Test
    void encodeWhenTheHeadersNeedALongerCountGivesBackTheSame() {
        Map<String, String> headers = new LinkedHashMap<>();
        IntStream.range(0, 128).forEach(i -> headers.put("h" + i, "v"));
        TaskContent content = new TaskContent("application/json", headers, new byte[] {1});

        TaskContent decoded = EnvelopeFormat.decode(EnvelopeFormat.encode(REQUEST_ID, content));

        assertThat(decoded).usingRecursiveComparison().isEqualTo(content);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/json",
                "text/plain;charset=UTF-8",
                "application/octet-stream",
                "application/msgpack",
                "x/y",
                ""
            })
    void decodeWhenEncodedGivesBackTheSame(String contentType) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("long", "\u20ac".repeat(300));
        headers.put("empty", "");
        headers.put("emoji", "\ud83d\ude00");
        TaskContent content = new TaskContent(contentType, headers, new byte[] {0, 1, -1, 13, 10});

        TaskContent decoded = EnvelopeFormat.decode(EnvelopeFormat.encode(REQUEST_ID, content));

        assertThat(decoded).usingRecursiveComparison().isEqualTo(content);
        assertThat(decoded.headers().keySet()).containsExactly("long", "empty", "emoji");
    }

    @Test
    void decodeWhenContentIsRandomGivesBackTheSame() {
        Random random = new Random(42);
        for (int round = 0; round < 2000; round++) {
            Map<String, String> headers = new LinkedHashMap<>();
            for (int i = random.nextInt(5); i > 0; i--) {
                headers.put("h" + i, "x".repeat(random.nextInt(300)));
            }
            byte[] payload = new byte[random.nextInt(500)];
            random.nextBytes(payload);
            TaskContent content = new TaskContent("application/json", headers, payload);

            TaskContent decoded = EnvelopeFormat.decode(EnvelopeFormat.encode(REQUEST_ID, content));

            assertThat(decoded.contentType()).isEqualTo(content.contentType());
            assertThat(decoded.headers()).isEqualTo(content.headers());
            assertThat(decoded.payload()).isEqualTo(content.payload());
        }
    }

    @Test
    void decodeWhenBytesAreGarbageAnswersNullOrContentAndNeverThrows() {
        Random random = new Random(7);
        for (int round = 0; round < 50_000; round++) {
            byte[] garbage = new byte[random.nextInt(80)];
            random.nextBytes(garbage);
            if (garbage.length > 18 && random.nextInt(4) > 0) {
                garbage[0] = EnvelopeFormat.VERSION;
                garbage[18] = (byte) random.nextInt(5);
            }
            TaskContent content = EnvelopeFormat.decode(garbage);
            if (content != null) {
                assertThat(content.payload().length).isLessThanOrEqualTo(garbage.length);
            }
        }
    }

    @Test
    void decodeWhenCutOffAnywhereBeforeThePayloadAnswersNull() {
        byte[] envelope =
                EnvelopeFormat.encode(REQUEST_ID, new TaskContent("a/b", Map.of("key", "value"), new byte[0]));

        for (int length = 0; length < envelope.length; length++) {
            assertThat(EnvelopeFormat.decode(Arrays.copyOf(envelope, length)))
                    .as("first %d bytes", length)
                    .isNull();
        }
    }

    @ParameterizedTest
    @ValueSource(bytes = {0, 2, 127, -1})
    void decodeWhenTheVersionIsAnotherAnswersNull(byte version) {
        byte[] envelope = EnvelopeFormat.encode(REQUEST_ID, new TaskContent("a/b", Map.of(), new byte[0]));
        envelope[0] = version;

        assertThat(EnvelopeFormat.decode(envelope)).isNull();
    }
}
