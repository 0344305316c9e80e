// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.delayqueue.DelayQueueException;
import io.delayqueue.EncodedPayload;
import io.delayqueue.PayloadConversionException;
import io.delayqueue.annotation.PayloadVersion;
import io.delayqueue.annotation.TaskHeaders;
import io.delayqueue.codec.JacksonPayloadCodec;
import io.delayqueue.codec.MessagePackPayloadCodec;
import io.delayqueue.codec.PayloadUpgrade;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class PayloadUpgradeTests {

    private static final String JSON = "application/json";
    private static final PayloadUpgrade RENAME = new PayloadUpgrade(Mail.class, 1, fields -> {
        fields.put("recipient", fields.remove("to"));
        return fields;
    });
    private static final PayloadUpgrade SPLIT = new PayloadUpgrade(Mail.class, 2, fields -> {
        String[] parts = fields.remove("recipient").toString().split("@");
        fields.put("user", parts[0]);
        fields.put("host", parts[1]);
        return fields;
    });

    @PayloadVersion(3)
    record Mail(String user, String host, BigDecimal price) {}

    record Plain(String user) {}

    record Strict(@JsonProperty(required = true) String user, Map<String, Integer> counts) {}

    @PayloadVersion(2)
    interface Event {}

    record Placed(String id) implements Event {}

    sealed interface Root permits Common {}

    sealed interface Common extends Root permits Versioned {}

    @PayloadVersion(2)
    record Versioned(String id) implements Common {}

    sealed interface Unversioned permits First {}

    record First(String id) implements Unversioned {}

    private static PayloadCodecs codecs(PayloadUpgrade... upgrades) {
        return new PayloadCodecs(
                List.of(new JacksonPayloadCodec(new JsonMapper()), new MessagePackPayloadCodec()), List.of(upgrades));
    }

    private static Map<String, String> version(Object version) {
        return Map.of(TaskHeaders.VERSION, version.toString());
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static List<String> codecNames() {
        return List.of("json", "msgpack");
    }

    @ParameterizedTest
    @MethodSource("codecNames")
    void decodeWhenTheStoredVersionIsOlderTakesAllUpgradesInTurn(String codec) {
        PayloadCodecs codecs = codecs(SPLIT, RENAME);
        EncodedPayload first = codecs.encode(Map.of("to", "ada@example", "price", new BigDecimal("1.5")), codec);
        EncodedPayload second = codecs.encode(Map.of("recipient", "ada@example"), codec);

        assertThat(codecs.decode(first.bytes(), first.contentType(), Map.of(), Mail.class))
                .isEqualTo(new Mail("ada", "example", new BigDecimal("1.5")));
        assertThat(codecs.decode(second.bytes(), second.contentType(), version(2), Mail.class))
                .isEqualTo(new Mail("ada", "example", null));
    }

    @Test
    void decodeWhenANumberIsLongKeepsAllItsDigits() {
        String digits = "12345678901234567890.12345678901234567890";
        byte[] stored = utf8("{\"to\":\"a@b\",\"price\":" + digits + "}");

        Object mail = codecs(RENAME, SPLIT).decode(stored, JSON, Map.of(), Mail.class);

        assertThat(((Mail) mail).price()).isEqualTo(new BigDecimal(digits));
    }

    @Test
    void decodeWhenTheStoredVersionIsNewerSaysSo() {
        byte[] stored = utf8("{\"user\":\"ada\"}");

        assertThat(codecs().isNewer(version(2), Plain.class)).isTrue();
        assertThat(codecs().isNewer(version(1), Plain.class)).isFalse();
        assertThat(codecs().isNewer(Map.of(), Plain.class)).isFalse();
        assertThatExceptionOfType(PayloadConversionException.class)
                .isThrownBy(() -> codecs().decode(stored, JSON, version(2), Plain.class))
                .withMessageContaining("version 2")
                .withMessageContaining(Plain.class.getName());
    }

    @Test
    void decodeWhenTheTypeIsGenericTakesAnyVersion() {
        byte[] stored = utf8("{\"user\":\"ada\"}");

        for (Class<?> type : List.of(Map.class, Object.class, String.class, byte[].class, EncodedPayload.class)) {
            assertThat(codecs().isNewer(version(9), type)).as(type.getName()).isFalse();
            assertThat(codecs().decode(stored, JSON, version(9), type)).isNotNull();
        }
    }

    @Test
    void isNewerWhenOnlySubtypesOfASealedTypeHaveVersionsTakesAny() {
        assertThat(codecs().isNewer(version(2), Common.class)).isFalse();
        assertThat(codecs().isNewer(version(2), Root.class)).isFalse();
        assertThat(codecs().isNewer(version(2), Unversioned.class)).isTrue();
        assertThat(codecs().isNewer(version(3), Event.class)).isTrue();
    }

    @Test
    void decodeWhenAnUpgradeIsMissingNamesIt() {
        assertThatExceptionOfType(PayloadConversionException.class)
                .isThrownBy(() -> codecs(SPLIT).decode(utf8("{}"), JSON, Map.of(), Mail.class))
                .withMessageContaining("No PayloadUpgrade bean turns version 1 of " + Mail.class.getName());
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "x", "", "99999999999"})
    void decodeWhenTheHeaderIsNoVersionIsRefused(String version) {
        assertThat(codecs().isNewer(version(version), Plain.class)).isFalse();
        assertThatExceptionOfType(PayloadConversionException.class)
                .isThrownBy(() -> codecs().decode(utf8("{}"), JSON, version(version), Plain.class))
                .withMessageContaining("dq-version");
    }

    @Test
    void decodeWhenAnUpgradeThrowsOrThePayloadIsNoObjectShowsNoContent() {
        for (String stored : List.of("{\"to\":\"s3cr3t\"}", "[\"s3cr3t\"]", "\"s3cr3t\"", "{\"s3cr3t\"")) {
            assertThatExceptionOfType(PayloadConversionException.class)
                    .isThrownBy(() -> codecs(RENAME, SPLIT).decode(utf8(stored), JSON, Map.of(), Mail.class))
                    .satisfies(ex -> assertThat(ex.getMessage()).doesNotContain("s3cr3t"))
                    .withNoCause();
        }
    }

    @Test
    void decodeWhenARequiredPropertyIsMissingNamesItAndNoKeyOfAMap() {
        assertThatExceptionOfType(PayloadConversionException.class)
                .isThrownBy(() -> codecs().decode(utf8("{}"), JSON, Strict.class))
                .withMessageContaining("property 'user'");
        assertThatExceptionOfType(PayloadConversionException.class)
                .isThrownBy(() ->
                        codecs().decode(utf8("{\"user\":\"a\",\"counts\":{\"s3cr3t\":\"x\"}}"), JSON, Strict.class))
                .withMessageContaining("property 'counts'")
                .satisfies(ex -> assertThat(ex.getMessage()).doesNotContain("s3cr3t"));
    }

    @Test
    void statedVersionWhenAnInterfaceHasItIsThat() {
        assertThat(PayloadCodecs.statedVersion(Placed.class)).isEqualTo(2);
        assertThat(PayloadCodecs.statedVersion(ArrayList.class)).isZero();
    }

    @Test
    void upgradesWhenTheyDoNotLeadToTheVersionAreRefused() {
        refused("Two PayloadUpgrade beans upgrade version 1", RENAME, SPLIT, RENAME);
        refused("Correct its @PayloadVersion", RENAME);
        refused("Correct its @PayloadVersion", RENAME, SPLIT, new PayloadUpgrade(Mail.class, 3, fields -> fields));
        refused("Correct its @PayloadVersion", new PayloadUpgrade(Plain.class, 1, fields -> fields));
        refused(
                "No PayloadUpgrade bean upgrades version 2",
                new PayloadUpgrade(Long.class, 1, fields -> fields),
                new PayloadUpgrade(Long.class, 3, fields -> fields));
    }

    private static void refused(String message, PayloadUpgrade... upgrades) {
        assertThatExceptionOfType(DelayQueueException.class)
                .isThrownBy(() -> codecs(upgrades))
                .withMessageContaining(message);
    }

    @PayloadVersion(4)
    record Long(String text) {}
}
