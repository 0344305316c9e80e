// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.BadInput;
import io.delayqueue.TaskState;
import io.delayqueue.internal.control.TaskView;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class ExportTests {

    private static TaskView task(String reason) {
        return new TaskView("orders", "id", TaskState.DEAD, Instant.EPOCH, Instant.EPOCH, 1, 0, reason, null, null);
    }

    @ParameterizedTest
    @ValueSource(strings = {"=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "'=1", "\uff1d1"})
    void csvWhenATextWouldBeAFormulaKeepsItFromBeingOne(String text) {
        assertThat(new CsvExport().row(task(text))).endsWith(",\"'" + text + "\"\r\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a,b", "two\r\nlines", "1-1"})
    void csvWhenATextIsHarmlessIsTheSameText(String text) {
        assertThat(new CsvExport().row(task(text))).endsWith(",\"" + text + "\"\r\n");
    }

    @Test
    void csvWhenATextHasQuotesDoublesThem() {
        assertThat(new CsvExport().row(task("a \"b\""))).endsWith(",\"a \"\"b\"\"\"\r\n");
    }

    @ParameterizedTest
    @MethodSource("io.delayqueue.BadInput#ids")
    void jsonHasTheSameText(BadInput.Case<String> text) {
        JsonExport json = new JsonExport();
        String array = json.begin() + json.row(task(text.input())) + json.row(task(null)) + json.end();

        assertThat(new JsonMapper().readTree(array).get(0).get("lastReason").asString())
                .isEqualTo(text.input());
        assertThat(array.chars().filter(c -> c < 0x20 && c != '\n')).isEmpty();
    }
}
