// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.internal.control.TaskTiming;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimingWordsTests {

    private static TaskTiming hours(String window) {
        return new TaskTiming(null, null, window, null);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "09:00-21:00 Europe/Berlin | between 09:00 and 21:00, Europe/Berlin",
                "22:00-06:00 Z | between 22:00 and 06:00 of the next day, Z",
                "09:00-21:00 Europe/Berlin SUNDAY | between 09:00 and 21:00, Europe/Berlin, on Sunday",
                "09:00-21:00 Z SUNDAY,MONDAY,TUESDAY | between 09:00 and 21:00, Z, on Monday, Tuesday and Sunday",
                "09:00-21:00 Z calendar:shop | between 09:00 and 21:00, Z, on the working days of the calendar 'shop'",
                "06:00-06:00 Z FRIDAY | in the 24 hours from 06:00, Z, on Friday",
                "00:00-00:00 Z | at any time, regardless of the queue's hours"
            })
    void windowWhenThereIsOneIsASentence(String window, String words) {
        assertThat(TimingWords.window(hours(window))).isEqualTo(words);
    }
}
