// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GateTests {

    private static final Duration LONGEST = Duration.ofSeconds(1);
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final Gate gate = new Gate(0, LONGEST);

    @Test
    void admitAfterANackLetsNothingGoForAPauseAndThenOneRoundOfOne() {
        gate.answered(0, 0, 200);

        assertThat(gate.admit(millis(99), 50, LIMIT)).isZero();
        assertThat(gate.closedFor(millis(99))).isEqualTo(Duration.ofMillis(1));
        assertThat(gate.admit(millis(100), 50, LIMIT)).isEqualTo(1);
        assertThat(gate.admit(millis(101), 50, LIMIT))
                .as("a round is under way")
                .isZero();
    }

    @Test
    void answeredWhenMoreWereNackedThatWentAtTheSameTimeChangesNothing() {
        for (int batch = 0; batch < 8; batch++) {
            gate.answered(millis(batch), 0, 200);
        }

        assertThat(gate.admit(millis(100), 50, LIMIT)).isEqualTo(1);
    }

    @Test
    void answeredWhenEachRoundIsNackedDoublesThePauseUpToTheLongest() {
        gate.answered(0, 0, 1);
        long now = 0;
        for (int pause : List.of(100, 200, 400, 800, 1000, 1000)) {
            assertThat(gate.closedFor(now)).isEqualTo(Duration.ofMillis(pause));
            now += millis(pause);
            gate.admit(now, 5, LIMIT);
            assertThat(gate.answered(now, 0, 1)).isFalse();
        }
    }

    @Test
    void answeredWhenEachRoundIsTakenDoublesItUntilTheGateIsOpen() {
        gate.answered(0, 0, 1);
        IntStream.range(0, 70_000).forEach(task -> gate.hold(0));
        long now = millis(100);
        for (int round = 1; round < Gate.ENOUGH; round *= 2) {
            assertThat(gate.admit(now, 300, LIMIT)).isEqualTo(round);
            assertThat(gate.answered(now, round, 0)).isEqualTo(2 * round >= Gate.ENOUGH);
        }
    }

    @Test
    void answeredWhenARoundIsTakenInPartMakesTheNextAsLargeAfterTheShortestPause() {
        gate.answered(0, 0, 1);
        gate.admit(millis(100), 5, LIMIT);
        gate.answered(millis(100), 0, 1);
        gate.admit(millis(300), 5, LIMIT);

        assertThat(gate.answered(millis(300), 40, 7)).isFalse();

        assertThat(gate.closedFor(millis(300))).isEqualTo(Gate.FIRST_PAUSE);
        assertThat(gate.admit(millis(400), 300, LIMIT)).isEqualTo(40);
    }

    @Test
    void answeredWhenTheOnlyTaskIsTakenAndNoneWaitsOpensTheGate() {
        gate.answered(0, 0, 1);
        Duration delay = gate.hold(0);
        gate.admit(delay.toNanos(), 1, LIMIT);

        assertThat(gate.answered(delay.toNanos(), 1, 0)).isTrue();
    }

    @Test
    void answeredWhenNothingIsSaidOfARoundLetsAnotherGo() {
        gate.answered(0, 0, 1);
        gate.admit(millis(100), 5, LIMIT);

        assertThat(gate.answered(millis(150), 0, 0)).isFalse();

        assertThat(gate.admit(millis(150), 5, LIMIT)).isEqualTo(1);
    }

    @Test
    void admitWhenARoundIsNeverAnsweredLetsAnotherGoAfterTheLimit() {
        gate.answered(0, 0, 1);
        gate.admit(millis(100), 5, LIMIT);

        assertThat(gate.admit(millis(10_099), 5, LIMIT)).isZero();
        assertThat(gate.admit(millis(10_100), 5, LIMIT)).isEqualTo(1);
    }

    @Test
    void holdGivesEachTaskATimeOfItsOwnAfterThePauseAndAtMostAMinuteLater() {
        gate.answered(0, 0, 1);

        assertThat(List.of(gate.hold(0), gate.hold(0), gate.hold(0)))
                .containsExactly(Duration.ofMillis(101), Duration.ofMillis(102), Duration.ofMillis(103));
        IntStream.range(0, 100_000).forEach(task -> gate.hold(0));
        assertThat(gate.hold(0)).isEqualTo(Duration.ofMillis(60_100));
        assertThat(gate.hold(millis(60_000))).isLessThan(Duration.ofMillis(200));
    }

    @Test
    void admitAfterASilenceLetsALargeRoundGoAtOnceAndNoOtherUntilItsEnd() {
        gate.silent(0);

        assertThat(gate.admit(0, 1000, LIMIT)).isEqualTo(Gate.ENOUGH);
        assertThat(gate.admit(millis(1), 1000, LIMIT)).isZero();
        assertThat(gate.hold(millis(1))).isGreaterThan(LIMIT.minusMillis(2));
        gate.answered(millis(5_000), 0, 0);
        gate.silent(millis(5_000));
        assertThat(gate.admit(millis(5_000), 1000, LIMIT)).isEqualTo(Gate.ENOUGH);
    }

    @Test
    void answeredAfterASilenceOpensTheGateWithTheFirstAck() {
        gate.silent(0);
        gate.admit(0, 1000, LIMIT);
        gate.hold(0);

        assertThat(gate.answered(1, 1, 0)).isTrue();
    }

    @Test
    void answeredWithANackAfterASilenceClosesTheGateForTheShortestPause() {
        gate.silent(0);
        gate.admit(0, 1000, LIMIT);

        assertThat(gate.answered(0, 0, 256)).isFalse();

        assertThat(gate.isSilent()).isFalse();
        assertThat(gate.closedFor(0)).isEqualTo(Gate.FIRST_PAUSE);
        assertThat(gate.admit(millis(100), 50, LIMIT)).isEqualTo(1);
    }

    private static long millis(long millis) {
        return Duration.ofMillis(millis).toNanos();
    }
}
