// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class NodeOutagesTests {

    private final NodeOutages outages = new NodeOutages(Duration.ofNanos(10));

    @Test
    void notSentWhenTheNodeHasBeenAwayForLongerThanACallGivesUp() {
        assertThat(outages.noteUnsent("a", 100)).isFalse();
        assertThat(outages.noteUnsent("a", 109)).isFalse();
        assertThat(outages.noteUnsent("a", 110)).isTrue();
        assertThat(outages.noteUnsent("b", 110)).as("another node").isFalse();
    }

    @Test
    void notSentWhenTheNodeWasThereMeanwhileTriesAgain() {
        assertThat(outages.isEmpty()).isTrue();
        outages.noteUnsent("a", 100);
        assertThat(outages.isEmpty()).isFalse();
        outages.sent("a");

        assertThat(outages.isEmpty()).isTrue();
        assertThat(outages.noteUnsent("a", 200)).isFalse();
    }
}
