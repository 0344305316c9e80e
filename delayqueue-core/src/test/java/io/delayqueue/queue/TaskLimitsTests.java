// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.delayqueue.InvalidHeaderException;
import io.delayqueue.InvalidTaskIdException;
import io.delayqueue.PayloadTooLargeException;
import io.delayqueue.TaskIds;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class TaskLimitsTests {

    private static final TaskLimits LIMITS = TaskLimits.DEFAULT;

    @Test
    void defaultsWhenReadAreTheDocumentedOnes() {
        assertThat(LIMITS).isEqualTo(new TaskLimits(262_144, 256, 8192));
    }

    @Test
    void checkIdWhenAtTheLimitReturnsIt() {
        String id = "~".repeat(255) + "!";

        assertThat(LIMITS.checkId("q", id)).isSameAs(id);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a}b", "}"})
    void checkShardKeyWhenTheIdDoesNotTellItIsRefused(String shardKey) {
        assertThatExceptionOfType(InvalidTaskIdException.class)
                .isThrownBy(() -> LIMITS.checkShardKey("q", TaskIds.withShardKey(shardKey, "id"), shardKey))
                .withMessageContaining("'q'")
                .withMessageContaining("brace");
        LIMITS.checkShardKey("q", "a}b", TaskIds.shardKeyOf("a}b"));
        LIMITS.checkShardKey("q", "{a}b", "a");
    }

    @ParameterizedTest
    @MethodSource("badIds")
    void checkIdWhenMalformedNamesQueueAndValueShortened(String id) {
        assertThatExceptionOfType(InvalidTaskIdException.class)
                .isThrownBy(() -> LIMITS.checkId("q", id))
                .withMessageContaining("'q'")
                .matches(ex -> ex.getMessage().length() < 250
                        && ex.getMessage().lines().count() == 1);
    }

    static Stream<String> badIds() {
        return Stream.of("", "x".repeat(257), "a b", "a\n", "a\u0000", "\u007f", "\u00e4");
    }

    @Test
    void checkIdWhenTooLongNamesLimitAndProperty() {
        assertThatExceptionOfType(InvalidTaskIdException.class)
                .isThrownBy(() -> LIMITS.checkId("q", "x".repeat(300)))
                .withMessageContaining("256")
                .withMessageContaining("300")
                .withMessageContaining("delayqueue.limits.id-length");
    }

    @Test
    void checkPayloadWhenTooLargeNamesSizeLimitAndProperty() {
        byte[] most = new byte[262_144];
        assertThat(LIMITS.checkPayload("q", "id", most)).isSameAs(most);
        assertThatExceptionOfType(PayloadTooLargeException.class)
                .isThrownBy(() -> LIMITS.checkPayload("q", "id", new byte[262_145]))
                .withMessageContaining("262145")
                .withMessageContaining("262144")
                .withMessageContaining("'id'")
                .withMessageContaining("delayqueue.limits.payload-size");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "dq-x", "DQ-X", "\u00e4", "a\r\nb"})
    void checkHeadersWhenANameIsMalformedOrReservedRefusesIt(String name) {
        assertThatExceptionOfType(InvalidHeaderException.class)
                .isThrownBy(() -> LIMITS.checkHeaders("q", "id", Map.of(name, "v")))
                .withMessageContaining("'id'");
    }

    @Test
    void checkHeadersWhenTogetherTooLargeCountsUtf8Bytes() {
        assertThat(LIMITS.checkHeaders("q", "id", Map.of("k", "\u20ac".repeat(2730))))
                .hasSize(1);
        assertThatExceptionOfType(InvalidHeaderException.class)
                .isThrownBy(() -> LIMITS.checkHeaders("q", "id", Map.of("kk", "\u20ac".repeat(2730) + "x")))
                .withMessageContaining("8193")
                .withMessageContaining("delayqueue.limits.header-size");
    }

    @Test
    void checkHeadersWhenAValueIsNoTextRefusesItWithoutShowingIt() {
        assertThatExceptionOfType(InvalidHeaderException.class)
                .isThrownBy(() -> LIMITS.checkHeaders("q", "id", Map.of("k", "secret\ud800")))
                .matches(ex -> !ex.getMessage().contains("secret"));
    }
}
