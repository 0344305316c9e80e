// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.delayqueue.BadInput;
import io.delayqueue.InvalidTaskException;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TaskBoundsTests {

    private static final TaskBounds BOUNDS = TaskBounds.DEFAULT;

    static Stream<String> badIds() {
        return BadInput.ids().map(BadInput.Case::input);
    }

    @Test
    void checkIdWhenTooLongNamesLimitAndProperty() {
        assertThatExceptionOfType(InvalidTaskException.class)
                .isThrownBy(() -> BOUNDS.checkId("q", "\u00fc".repeat(150)))
                .withMessageContaining("256")
                .withMessageContaining("300 bytes")
                .withMessageContaining("delayqueue.max-id-length");
    }

    @Test
    void checkPayloadWhenTooLargeNamesSizeLimitAndProperty() {
        byte[] most = new byte[262_144];
        assertThat(BOUNDS.checkPayload("q", "id", most)).isSameAs(most);
        assertThatExceptionOfType(InvalidTaskException.class)
                .isThrownBy(() -> BOUNDS.checkPayload("q", "id", new byte[262_145]))
                .withMessageContaining("262145")
                .withMessageContaining("262144")
                .withMessageContaining("'id'")
                .withMessageContaining("delayqueue.max-payload-size");
    }

    @Test
    void checkHeadersWhenTogetherTooLargeCountsUtf8Bytes() {
        assertThat(BOUNDS.checkHeaders("q", "id", Map.of("k", "\u20ac".repeat(2730))))
                .hasSize(1);
        assertThatExceptionOfType(InvalidTaskException.class)
                .isThrownBy(() -> BOUNDS.checkHeaders("q", "id", Map.of("kk", "\u20ac".repeat(2730) + "x")))
                .withMessageContaining("8193")
                .withMessageContaining("delayqueue.max-header-size");
    }

    @Test
    void checkHeadersWhenAValueIsNoTextRefusesItWithoutShowingIt() {
        assertThatExceptionOfType(InvalidTaskException.class)
                .isThrownBy(() -> BOUNDS.checkHeaders("q", "id", Map.of("k", "secret\ud800")))
                .matches(ex -> !ex.getMessage().contains("secret"));
    }
}
