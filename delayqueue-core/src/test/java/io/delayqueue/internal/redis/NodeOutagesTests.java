// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.LogLines;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class NodeOutagesTests {

    private final NodeOutages outages = new NodeOutages(Duration.ofNanos(10));

    @Test
    void notSentWhenTheNodeHasBeenAwayForLongerThanACallGivesUp() {
        assertThat(outages.noteUnsent("a", 100, null)).isFalse();
        assertThat(outages.noteUnsent("a", 109, null)).isFalse();
        assertThat(outages.noteUnsent("a", 110, null)).isTrue();
        assertThat(outages.noteUnsent("b", 110, null)).as("another node").isFalse();
    }

    @Test
    void notSentWhenTheNodeWasThereMeanwhileTriesAgain() {
        assertThat(outages.isEmpty()).isTrue();
        outages.noteUnsent("a", 100, null);
        assertThat(outages.isEmpty()).isFalse();
        outages.sent("a");

        assertThat(outages.isEmpty()).isTrue();
        assertThat(outages.noteUnsent("a", 200, null)).isFalse();
    }

    @Test
    void logOfAnOutageHasOneLineAndTheReason() {
        try (LogLines log = new LogLines()) {
            outages.noteUnsent("", 100, "WRONGPASS");
            outages.noteUnsent("", 110, "WRONGPASS");
            outages.noteUnsent("", 120, "WRONGPASS");

            assertThat(log.all())
                    .containsExactly("Redis cannot be reached; until it is back, calls to it fail at once. WRONGPASS");
        }
    }

    @Test
    void outageWhenTheNodeServesNoMoreKeysEndsWithALine() {
        outages.noteUnsent("a", 100, null);
        outages.noteUnsent("a", 120, null);
        outages.noteUnsent("b", 120, null);
        try (LogLines log = new LogLines()) {
            outages.keepServing("b"::equals);

            assertThat(log.all())
                    .singleElement()
                    .asString()
                    .startsWith("The node a of the Redis cluster was replaced after");
        }
        assertThat(outages.isNoted("a")).isFalse();
        assertThat(outages.isNoted("b")).isTrue();
    }

    @Test
    void logOfAnOutageThatTheCallerHasLoggedHasNoLine() {
        try (LogLines log = new LogLines()) {
            outages.noteLogged("", 100);
            outages.noteUnsent("", 120, null);

            assertThat(log.all()).isEmpty();
        }
    }

    @Test
    void logOfTemporaryRefusalsHasOneLineForEachServer() {
        try (LogLines log = new LogLines()) {
            outages.noteRefusal("", "LOADING");
            outages.noteRefusal("", "LOADING");
            outages.noteRefusal("a", "CLUSTERDOWN");

            assertThat(log.all())
                    .containsExactly(
                            "Redis temporarily refuses calls: LOADING",
                            "The node a of the Redis cluster temporarily refuses calls: CLUSTERDOWN");
        }
    }
}
