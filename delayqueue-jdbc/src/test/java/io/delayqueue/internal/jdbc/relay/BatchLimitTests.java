// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BatchLimitTests {

    private static final Duration LEFT = Duration.ofSeconds(2);
    private static final Duration FAST = Duration.ofMillis(1);

    private final BatchLimit limit = new BatchLimit(100, 150);

    @Test
    void rowsWhenSendingTookMoreThanHalfOfItsTimeAreHalf() {
        limit.sent(true, 1, LEFT, Duration.ofMillis(1000));
        assertThat(limit.rows()).isEqualTo(100);
        limit.sent(true, 1, LEFT, Duration.ofMillis(1001));
        assertThat(limit.rows()).isEqualTo(50);
        limit.sent(false, 1, Duration.ofMillis(1), FAST);
        assertThat(limit.rows()).isEqualTo(25);
    }

    @Test
    void rowsWhenNoTimeWasLeftToSendAreHalf() {
        limit.sent(true, 1, Duration.ZERO, Duration.ofNanos(1));
        assertThat(limit.rows()).isEqualTo(50);
        limit.sent(true, 1, Duration.ofSeconds(-1), Duration.ZERO);
        assertThat(limit.rows()).isEqualTo(25);
    }

    @Test
    void rowsWhenABatchWasLargeAreHalfAndNeverNone() {
        for (int i = 0; i < 20; i++) {
            limit.sent(false, BatchLimit.MOST_BYTES + 1L, LEFT, FAST);
        }
        assertThat(limit.rows()).isEqualTo(1);
    }

    @Test
    void rowsWhenFullBatchesAreFastGrowUpToTheMost() {
        limit.sent(false, 1, LEFT, FAST);
        assertThat(limit.rows()).isEqualTo(100);
        limit.sent(true, 1, LEFT, Duration.ofMillis(500));
        assertThat(limit.rows()).isEqualTo(100);
        limit.sent(true, 1, LEFT, Duration.ofMillis(499));
        assertThat(limit.rows()).isEqualTo(150);
    }
}
