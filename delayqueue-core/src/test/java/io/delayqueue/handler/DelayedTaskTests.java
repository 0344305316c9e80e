// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mockito.Answers;

class DelayedTaskTests {

    /** In Berlin clocks go forward on 2027-03-28 and back on 2027-10-31. Apia had no 30 December 2011. */
    @ParameterizedTest
    @CsvSource({
        "2027-03-27T08:00:00Z, PT0.1S, 09:00, Europe/Berlin, 2027-03-28T07:00:00Z",
        "2027-03-28T07:00:00Z, PT0.1S, 09:00, Europe/Berlin, 2027-03-29T07:00:00Z",
        "2027-10-30T07:00:00Z, PT0.1S, 09:00, Europe/Berlin, 2027-10-31T08:00:00Z",
        "2027-10-31T08:00:00Z, PT0.1S, 09:00, Europe/Berlin, 2027-11-01T08:00:00Z",
        "2027-03-27T01:30:00Z, PT0S, 02:30, Europe/Berlin, 2027-03-28T01:30:00Z",
        "2027-03-28T01:30:00Z, PT0S, 02:30, Europe/Berlin, 2027-03-29T00:30:00Z",
        "2027-10-30T00:30:00Z, PT0S, 02:30, Europe/Berlin, 2027-10-31T00:30:00Z",
        "2027-10-31T00:30:00Z, PT0S, 02:30, Europe/Berlin, 2027-11-01T01:30:00Z",
        "2011-12-29T19:00:00Z, PT0S, 09:00, Pacific/Apia, 2011-12-30T19:00:00Z",
        "2011-12-30T19:00:00Z, PT0S, 09:00, Pacific/Apia, 2011-12-31T19:00:00Z",
        "2027-01-04T06:30:00Z, PT0.1S, 09:00, Europe/Berlin, 2027-01-04T08:00:00Z",
        "2027-01-04T08:00:00Z, PT76H, 09:00, Europe/Berlin, 2027-01-08T08:00:00Z",
        "2027-01-04T08:00:00Z, PT-0.002S, 09:00, Europe/Berlin, 2027-01-05T08:00:00Z"
    })
    void againAtATimeOfDayIsTheNextOneThatHasNotPassed(
            Instant due, Duration lateness, LocalTime time, ZoneId zone, Instant next) {
        DelayedTask<?> task = mock(DelayedTask.class, Answers.CALLS_REAL_METHODS);
        AtomicReference<Instant> again = new AtomicReference<>();
        when(task.dueAt()).thenReturn(due);
        when(task.lateness()).thenReturn(lateness);
        doAnswer(call -> {
                    again.set(call.getArgument(0));
                    return null;
                })
                .when(task)
                .againAt(any(Instant.class));

        task.againAt(time, zone);

        assertThat(again).hasValue(next);
    }
}
