// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.Due;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LongestWaitTests {

    @Test
    void addToWhenTheWaitNeedsMoreDigitsThanThereIsRoomForIsTheLongestThere() {
        Map<String, String> headers = LongestWait.addTo(Map.of("tenant", "t"), Duration.ofMillis(Due.MAX_EPOCH_MILLIS));

        assertThat(headers.keySet()).containsExactly(LongestWait.HEADER, "tenant");
        assertThat(headers).containsEntry(LongestWait.HEADER, "+99999999999999");
    }

    @Test
    void addToWhenTheLocaleOfTheJvmHasOtherDigitsWritesThoseThatScriptsRead() {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag("fa-IR-u-nu-arabext"));
        try {
            assertThat(LongestWait.addTo(Map.of(), Duration.ofSeconds(1)))
                    .containsEntry(LongestWait.HEADER, "+00000000001000");
        } finally {
            Locale.setDefault(before);
        }
    }
}
