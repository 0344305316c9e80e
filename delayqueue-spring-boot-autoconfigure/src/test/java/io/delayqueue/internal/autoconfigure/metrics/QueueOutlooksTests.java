// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class QueueOutlooksTests {

    @Test
    void beginsWhenThereAreManyQueuesAreSpreadOverTheIntervalAndDifferBetweenProcesses() {
        List<Duration> begins = QueueOutlooks.begins(4, Duration.ofSeconds(60));

        Duration first = begins.get(0);
        assertThat(first).isBetween(Duration.ZERO, Duration.ofSeconds(15));
        assertThat(begins).containsExactly(first, first.plusSeconds(15), first.plusSeconds(30), first.plusSeconds(45));
        assertThat(QueueOutlooks.begins(4, Duration.ofSeconds(60))).isNotEqualTo(begins);
    }
}
