// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.internal.queue.LimitSettings;
import io.delayqueue.internal.queue.Rate;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NotedLimitsTests {

    @Test
    void textWhenParsedIsTheSameLimits() {
        LimitSettings limits = new LimitSettings(
                new Rate(1, Duration.ofMillis(5), 7),
                new Rate(50, Duration.ofMillis(1)),
                new Rate(7, Duration.ofHours(1)),
                2);

        String text = NotedLimits.text(limits);

        assertThat(text)
                .isEqualTo("rate=1/5ms+7,per-key.rate=7/3600000ms,per-key.concurrency=2,rate-when-overdue=50/1ms");
        assertThat(NotedLimits.parse(text)).isEqualTo(limits);
        assertThat(NotedLimits.parse(NotedLimits.text(LimitSettings.NONE))).isEqualTo(LimitSettings.NONE);
    }

    @Test
    void textWhenTwoRatesAreEqualIsTheSame() {
        assertThat(NotedLimits.text(new LimitSettings(Rate.parse("300/m"), null, null, null)))
                .isEqualTo(NotedLimits.text(new LimitSettings(Rate.parse("5/s"), null, null, null)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "rate", "rate=5/s", "rate=0/5ms", "per-key.concurrency=x", "per-key.concurrency=0", "more=1"
            })
    void parseWhenAnotherVersionWroteALimitIgnoresItAndReadsTheOthers(String text) {
        assertThat(NotedLimits.parse(text)).isEqualTo(LimitSettings.NONE);
        assertThat(NotedLimits.parse(text + ",per-key.rate=1/200ms").keyRate()).isEqualTo(Rate.ofReduced("1/200ms"));
    }
}
