// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayqueue.control.Caller;
import io.delayqueue.internal.console.request.ConsoleRequest;
import io.delayqueue.internal.console.request.ConsoleRequest.Origin;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class InputsTests {

    private static final Instant NOW = Instant.parse("2030-01-01T12:00:00Z");

    private static Inputs to(String value) {
        return new Inputs(
                new ConsoleRequest(
                        "POST",
                        "",
                        Map.of("to", value),
                        Caller.unknown("anonymous"),
                        "",
                        null,
                        new Origin(null, null, ""),
                        false),
                NOW);
    }

    @ParameterizedTest
    @CsvSource({
        "90m, 2030-01-01T13:30:00Z",
        "-1d, 2029-12-31T12:00:00Z",
        "PT2S, 2030-01-01T12:00:02Z",
        "2030-12-24 18:00, 2030-12-24T18:00:00Z",
        "2030-12-24 18:00:01 UTC, 2030-12-24T18:00:01Z",
        "2030-12-24T18:00:01Z, 2030-12-24T18:00:01Z"
    })
    void momentIsUtcOrFromNow(String value, Instant moment) {
        assertThat(to(value).moment("to", "New due time")).isEqualTo(moment);
    }

    /** Nobody who writes 90 means milliseconds, after which the task would be delivered at once. */
    @ParameterizedTest
    @ValueSource(strings = {"90", "+90", "-1", "0", " 15 ", "soon", "2030-12-24", "99999999999999999999d"})
    void momentWhenItMayMeanSomethingElseIsRefused(String value) {
        assertThatThrownBy(() -> to(value).moment("to", "New due time"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'New due time'")
                .hasMessageContaining("90m");
    }

    @Test
    void momentWhenThereIsNoneIsNone() {
        assertThat(to(" ").moment("to", "New due time")).isNull();
    }
}
