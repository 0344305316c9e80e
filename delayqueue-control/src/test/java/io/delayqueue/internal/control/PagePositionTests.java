// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.delayqueue.BadInput;
import io.delayqueue.BadInput.Case;
import io.delayqueue.TaskState;
import io.delayqueue.internal.admin.TaskPosition;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PagePositionTests {

    static Stream<Case<String>> ids() {
        return Stream.concat(BadInput.ids(), BadInput.storedIds());
    }

    @ParameterizedTest
    @MethodSource("ids")
    void positionWhenToldAndReadIsTheSameWhateverTheId(Case<String> id) {
        TaskPosition position = new TaskPosition(3, Instant.ofEpochMilli(4_102_444_800_123L), id.input());

        assertThat(position.text()).matches("[A-Za-z0-9_-]+");
        assertThat(TaskPosition.parse(position.text())).isEqualTo(position);
    }

    /** So that it fits into the 8 KB that servers take as the first line of a request. */
    @Test
    void positionWhenTheIdIsAsLongAsIdsMayBeIsShort() {
        String id = "x".repeat(4096);
        assertThat(new TaskPosition(1023, Instant.ofEpochMilli(253_402_300_799_999L), id).text())
                .hasSizeLessThan(6_000);
        TaskView task =
                new TaskView("orders", id, TaskState.DEAD, Instant.EPOCH, Instant.EPOCH, 0, 0, null, null, null, null);
        assertThat(task.shown()).isEqualTo(task);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "b", "x", "aMQ", "aMSAy", "aLTEgMiBh", "aMSB4IGE", "a!", "bMQ"})
    void positionWhenInventedIsRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TaskPosition.parse(text))
                .withMessageContaining("position");
    }
}
