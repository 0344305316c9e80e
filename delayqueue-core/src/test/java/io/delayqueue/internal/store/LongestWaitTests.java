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
        assertThat(headers).containsEntry(LongestWait.HEADER, "+99999999999999");
    }
}
