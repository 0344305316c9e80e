// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class NodeOutagesTests {

    private final NodeOutages outages = new NodeOutages(Duration.ofNanos(10));

    @Test
    void notSentWhenTheNodeHasBeenAwayForLongerThanACallGivesUp() {
        assertThat(outages.notSent("a", 100)).isFalse();
        assertThat(outages.notSent("a", 109)).isFalse();
        assertThat(outages.notSent("a", 110)).isTrue();
        assertThat(outages.notSent("b", 110)).as("another node").isFalse();
    }

    @Test
    void notSentWhenNothingWasHeardOfTheNodeForLongTriesAgain() {
        outages.notSent("a", 100);
        assertThat(outages.notSent("a", 249)).isTrue();
        assertThat(outages.notSent("a", 399)).isFalse();
    }

    @Test
    void notSentWhenTheNodeWasThereMeanwhileTriesAgain() {
        assertThat(outages.isEmpty()).isTrue();
        outages.notSent("a", 100);
        assertThat(outages.isEmpty()).isFalse();
        outages.sent("a");

        assertThat(outages.isEmpty()).isTrue();
        assertThat(outages.notSent("a", 200)).isFalse();
    }
}
