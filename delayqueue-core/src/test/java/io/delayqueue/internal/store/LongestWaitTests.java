// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.Due;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LongestWaitTests {

    @Test
    void addToWhenTheWaitNeedsMoreDigitsThanThereIsRoomForIsTheLongestThere() {
        Map<String, String> headers = LongestWait.addTo(Map.of("tenant", "t"), Duration.ofMillis(Due.MAX_EPOCH_MILLIS));

        assertThat(headers.keySet()).containsExactly(LongestWait.HEADER, "tenant");
        assertThat(LongestWait.millis(headers)).isEqualTo(99_999_999_999_999L);
    }
}
