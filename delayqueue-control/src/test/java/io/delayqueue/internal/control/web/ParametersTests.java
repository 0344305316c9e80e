// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayqueue.TaskState;
import io.delayqueue.control.TaskFilter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ParametersTests {

    private static final Instant NOW = Instant.parse("2030-01-01T12:00:00Z");
    private static final Instant CHRISTMAS = Instant.parse("2030-12-24T18:00:00Z");

    private static Parameters of(Map<String, String> values) {
        return new Parameters(values, Map.of("to", "New due time"), NOW);
    }

    private static Parameters to(String value) {
        return of(Map.of("to", value));
    }

    @ParameterizedTest
    @CsvSource({
        "90m, 2030-01-01T13:30:00Z",
        "-1d, 2029-12-31T12:00:00Z",
        "250ms, 2030-01-01T12:00:00.250Z",
        "PT2S, 2030-01-01T12:00:02Z",
        "2030-12-24 18:00, 2030-12-24T18:00:00Z",
        "2030-12-24 18:00:01 UTC, 2030-12-24T18:00:01Z",
        "2030-12-24T18:00:01Z, 2030-12-24T18:00:01Z",
        "2030-12-24T19:00:01+01:00, 2030-12-24T18:00:01Z",
        "2030-12-24, 2030-12-24T00:00:00Z",
        "24.12.2030 18:00, 2030-12-24T18:00:00Z",
        "18:00, 2030-01-01T18:00:00Z",
        "9:30, 2030-01-01T09:30:00Z",
        "tomorrow 18:00, 2030-01-02T18:00:00Z",
        "Yesterday, 2029-12-31T00:00:00Z",
        "1 hour, 2030-01-01T13:00:00Z",
        "2 days, 2030-01-03T12:00:00Z"
    })
    void momentIsUtcOrFromNow(String value, Instant moment) {
        assertThat(to(value).moment("to")).isEqualTo(moment);
    }

    /** A user who writes 90 does not mean milliseconds, with which the task would be delivered at once. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "90",
                "+90",
                "-1",
                "0",
                " 15 ",
                "soon",
                "12",
                "1.2",
                "next day 18:00",
                "99999999999999999999d",
                "9999999999999d",
                "2030-12-24 25:00"
            })
    void momentWhenItMayMeanSomethingElseIsRefused(String value) {
        assertThatThrownBy(() -> to(value).moment("to"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'New due time'")
                .hasMessageContaining("90m");
    }

    @Test
    void momentWhenAZoneIsGivenIsInThatZone() {
        Map<String, String> typed = Map.of("to", "24.12.2030 18:00", "zone", "Europe/Berlin", "from", "18:00");

        assertThat(of(typed).moment("to")).isEqualTo(Instant.parse("2030-12-24T17:00:00Z"));
        assertThat(of(typed).filterAddress()).containsEntry("from", "2030-01-01T17:00:00Z");
        assertThat(of(typed).names()).doesNotContain("zone");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of(Map.of("to", "18:00", "zone", "Nowhere")).moment("to"))
                .withMessageContaining("such as Europe/Berlin");
    }

    /** A user does not move a task to this morning. */
    @Test
    void dueTimeWhenItsTimeHasPassedTodayIsTomorrow() {
        assertThat(to("9:30").requiredMoment("to")).isEqualTo(Instant.parse("2030-01-02T09:30:00Z"));
        assertThat(to("18:00").requiredMoment("to")).isEqualTo(Instant.parse("2030-01-01T18:00:00Z"));
    }

    @Test
    void valueWhenItIsBlankOrMissingIsMissing() {
        assertThat(to(" ").moment("to")).isNull();
        assertThat(of(Map.of()).number("size", 7)).isEqualTo(7);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> to(" ").required("to"))
                .withMessage("'New due time' is required");
    }

    @Test
    void valueWhenItCannotBeReadIsNamed() {
        Parameters odd = of(Map.of("size", "x", "all", "yes", "width", "wide", "state", "alive", "header", "=x"));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> odd.number("size", 1))
                .withMessageContaining("'size'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> odd.flag("all", false))
                .withMessageContaining("'all'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> odd.duration("width", "1m"))
                .withMessageContaining("'width'");
        assertThatIllegalArgumentException().isThrownBy(odd::state).withMessageContaining("'state'");
        assertThatIllegalArgumentException().isThrownBy(odd::filter).withMessageContaining("'header'");
    }

    @Test
    void valueWhenItCanBeReadHasItsType() {
        Parameters given = of(Map.of("size", " 50 ", "all", "true", "width", "PT10M", "state", "dead"));

        assertThat(given.number("size", 1)).isEqualTo(50);
        assertThat(given.flag("all", false)).isTrue();
        assertThat(given.duration("width", "1m")).isEqualTo(Duration.ofMinutes(10));
        assertThat(of(Map.of()).duration("width", "1m")).isEqualTo(Duration.ofMinutes(1));
        assertThat(given.state()).isEqualTo(TaskState.DEAD);
        assertThat(of(Map.of()).state()).isEqualTo(TaskState.SCHEDULED);
    }

    /** Else a filter that was copied from an operation would select more than that operation did. */
    @Test
    void filterReadsEverythingThatAFilterWrites() {
        for (TaskFilter filter : new TaskFilter[] {
            TaskFilter.ALL,
            TaskFilter.ALL.withIdPrefix("a").withReason("503").between(NOW, CHRISTMAS),
            TaskFilter.ALL.withGroup("g").withHeader("tenant", "a=b"),
            TaskFilter.ALL.withExactReason("503 of payments"),
            TaskFilter.ALL.withExactReason("")
        }) {
            Parameters parameters = of(filter.asText());
            assertThat(parameters.filter()).isEqualTo(filter);
            assertThat(Set.copyOf(Parameters.FILTER)).containsAll(parameters.names());
        }
    }

    @Test
    void filterWhenItNamesAKeyAndAGroupIsOfThisGroupOfTheKey() {
        assertThat(of(Map.of("key", "a")).filter()).isEqualTo(TaskFilter.ALL.withIdPrefix("{a}:"));
        assertThat(of(Map.of("group", "g")).filter()).isEqualTo(TaskFilter.ALL.withIdPrefix("{g}~"));
        assertThat(of(Map.of("key", "a", "group", "g")).filter()).isEqualTo(TaskFilter.ALL.withIdPrefix("{a}:{g}~"));
    }

    @Test
    void filterWhenItContradictsItselfIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(of(Map.of("idPrefix", "a", "key", "k"))::filter)
                .withMessage("Give 'idPrefix' or 'key', not both");
        assertThatIllegalArgumentException()
                .isThrownBy(of(Map.of("idPrefix", "a", "group", "g"))::filter)
                .withMessage("Give 'idPrefix' or 'group', not both");
        assertThatIllegalArgumentException()
                .isThrownBy(of(Map.of("reason", "a", "exactReason", "b"))::filter)
                .withMessage("Give 'reason' or 'exactReason', not both");
        assertThatIllegalArgumentException()
                .isThrownBy(of(Map.of("from", "2h", "until", "1h"))::filter)
                .withMessage("'from' must be before 'until'");
        assertThatIllegalArgumentException()
                .isThrownBy(of(Map.of("from", "1h", "until", "1h"))::filter)
                .withMessageContaining("'from'");
    }

    /** An empty condition, or a later one in place of an earlier one, would let a change reach more tasks. */
    @Test
    void filterWhenAConditionIsEmptyOrGivenTwiceIsRefused() {
        TaskFilter full =
                TaskFilter.ALL.withKey("k").between(NOW, null).withReason("503").withHeader("tenant", "a");
        List<ThrowingCallable> again = List.of(
                () -> full.withIdPrefix("a"),
                () -> full.withGroup("g"),
                () -> full.withGroup("k", "g"),
                () -> full.between(null, CHRISTMAS),
                () -> full.withExactReason(""),
                () -> full.withReasonKind("kind"),
                () -> full.withHeader("region", "b"),
                () -> TaskFilter.ALL.withExactReason("").withReason("503"),
                () -> TaskFilter.ALL.withReasonKind("kind").withReason("503"));
        for (ThrowingCallable each : again) {
            assertThatIllegalArgumentException().isThrownBy(each).withMessageContaining("already has a condition on");
        }
        List<ThrowingCallable> empty = List.of(
                () -> TaskFilter.ALL.withIdPrefix(""),
                () -> TaskFilter.ALL.withReason(""),
                () -> TaskFilter.ALL.withReasonKind(""),
                () -> TaskFilter.ALL.withHeader("", "a"));
        for (ThrowingCallable each : empty) {
            assertThatIllegalArgumentException()
                    .isThrownBy(each)
                    .withMessageContaining("is empty and would select every task");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TaskFilter.ALL.between(CHRISTMAS, NOW))
                .withMessageContaining("must be before 'until' (");
    }

    @Test
    void parameterWhenItIsNotUsedIsRefusedByItsName() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of(Map.of("dryrun", "false")).requireOnly(Set.of("dryRun", "all"), "cancel"))
                .withMessage("'dryrun' is not a parameter of cancel, so nothing was done. Its parameters are: all, "
                        + "dryRun");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of(Map.of("x\u202e", "1")).requireOnly(Set.of(), "pause"))
                .withMessageContaining("It has no parameters")
                .withMessageNotContaining("\u202e");
    }
}
