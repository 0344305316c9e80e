// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis.wake;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HeartbeatWatchTests {

    private final HeartbeatWatch watch = new HeartbeatWatch(2, 20);

    @Test
    void arrivesWhenAHeartbeatCameBackIsSoForTheTimeOfTrust() {
        assertThat(watch.arrives(0)).isFalse();
        watch.published(0);
        assertThat(watch.received(1)).as("was lost").isFalse();

        assertThat(watch.arrives(20)).isTrue();
        assertThat(watch.arrives(21)).isFalse();
        assertThat(watch.isMissing(100)).isFalse();
    }

    @Test
    void isMissingWhenAHeartbeatDoesNotComeBackIsLostUntilOneDoes() {
        watch.received(0);
        watch.published(10);
        assertThat(watch.isMissing(11)).isFalse();
        assertThat(watch.isMissing(12)).isTrue();

        assertThat(watch.isMissing(13)).as("told once").isFalse();
        assertThat(watch.isLost()).isTrue();
        assertThat(watch.arrives(13)).isFalse();
        watch.published(20);
        assertThat(watch.isMissing(22)).as("the next is missing too").isTrue();

        assertThat(watch.received(23)).as("was lost").isTrue();
        assertThat(watch.isLost()).isFalse();
        assertThat(watch.arrives(23)).isTrue();
    }

    @Test
    void isMissingWhenNoHeartbeatWasPublishedIsFalse() {
        watch.received(0);
        assertThat(watch.isMissing(1_000)).isFalse();
        assertThat(watch.isLost()).isFalse();
    }

    @Test
    void publishedWhenTheHeartbeatWasFasterThanTheAnswerAwaitsNothing() {
        watch.received(11);
        watch.published(10);
        assertThat(watch.isMissing(1_000)).isFalse();
    }

    @Test
    void publishedWhenOneIsAwaitedAlreadyDoesNotPutItOff() {
        watch.published(10);
        watch.published(11);
        assertThat(watch.isMissing(12)).isTrue();
    }
}
