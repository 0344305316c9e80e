// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis.wake;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EchoTests {

    private final Echo echo = new Echo(2, 20);

    @Test
    void arrivesWhenAHeartbeatCameBackIsSoForTheTimeOfTrust() {
        assertThat(echo.arrives(0)).isFalse();
        echo.taken(0);
        assertThat(echo.heard(1)).as("was deaf").isFalse();

        assertThat(echo.arrives(20)).isTrue();
        assertThat(echo.arrives(21)).isFalse();
        assertThat(echo.isMissing(100)).isFalse();
    }

    @Test
    void isMissingWhenATakenHeartbeatDoesNotComeBackMakesDeafUntilOneDoes() {
        echo.heard(0);
        echo.taken(10);
        assertThat(echo.isMissing(11)).isFalse();
        assertThat(echo.isMissing(12)).isTrue();

        assertThat(echo.isMissing(13)).as("told once").isFalse();
        assertThat(echo.isDeaf()).isTrue();
        assertThat(echo.arrives(13)).isFalse();
        echo.taken(20);
        assertThat(echo.isMissing(22)).as("the next is missing too").isTrue();

        assertThat(echo.heard(23)).as("was deaf").isTrue();
        assertThat(echo.isDeaf()).isFalse();
        assertThat(echo.arrives(23)).isTrue();
    }

    @Test
    void isMissingWhenNoHeartbeatWasTakenIsNotSo() {
        echo.heard(0);
        assertThat(echo.isMissing(1_000)).isFalse();
        assertThat(echo.isDeaf()).isFalse();
    }

    @Test
    void takenWhenTheEchoWasFasterThanTheAnswerAwaitsNothing() {
        echo.heard(11);
        echo.taken(10);
        assertThat(echo.isMissing(1_000)).isFalse();
    }

    @Test
    void takenWhenOneIsAwaitedAlreadyDoesNotPutItOff() {
        echo.taken(10);
        echo.taken(11);
        assertThat(echo.isMissing(12)).isTrue();
    }
}
