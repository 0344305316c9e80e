// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.TaskState;
import io.delayqueue.internal.control.TaskView;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CsvRowTests {

    private static TaskView task(String reason) {
        return new TaskView(
                "orders", "id", TaskState.DEAD, Instant.EPOCH, Instant.EPOCH, 1, 0, reason, null, null, null);
    }

    @ParameterizedTest
    @ValueSource(strings = {"=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "'=1", "\uff1d1"})
    void ofWhenATextWouldBeAFormulaKeepsItFromBeingOne(String text) {
        assertThat(CsvRow.of(task(text))).endsWith(",\"'" + text + "\",,\r\n");
    }
}
