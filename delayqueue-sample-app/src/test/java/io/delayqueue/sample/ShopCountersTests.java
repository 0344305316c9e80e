// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.sample;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ShopCountersTests {

    @Test
    void summaryWhenOrdersWereClosedTellsTheLatenessSinceTheLastLine() {
        ShopCounters counters = new ShopCounters();
        counters.placed();
        counters.paid();
        counters.extended();
        counters.duplicate();
        counters.closedTooLate();
        for (int millis = 1; millis <= 5; millis++) {
            counters.closed(Duration.ofMillis(millis));
        }
        assertThat(counters.summary(2, 3))
                .isEqualTo("orders placed 1, paid 1, extended 1, closed 5, open 2; delayed tasks 3, for ended orders"
                        + " 1, duplicates dropped 1; lateness of the last 5 closes: median 3 ms, max 5 ms");
        assertThat(counters.summary(0, 0)).endsWith("no closes since the last line");
    }
}
