// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RefusalTests {

    private static final Duration LONGEST = Duration.ofSeconds(1);
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final Refusal refusal = new Refusal(0, LONGEST);

    @Test
    void admitAfterANackLetsNothingGoForAPauseAndThenOneRoundOfOne() {
        refusal.answered(0, 0, 200);

        assertThat(refusal.admit(millis(99), 50, LIMIT)).isZero();
        assertThat(refusal.closedFor(millis(99))).isEqualTo(Duration.ofMillis(1));
        assertThat(refusal.admit(millis(100), 50, LIMIT)).isEqualTo(1);
        assertThat(refusal.admit(millis(101), 50, LIMIT))
                .as("a round is under way")
                .isZero();
    }

    @Test
    void answeredWhenMoreWereNackedThatWentAtTheSameTimeChangesNothing() {
        for (int batch = 0; batch < 8; batch++) {
            refusal.answered(millis(batch), 0, 200);
        }

        assertThat(refusal.admit(millis(100), 50, LIMIT)).isEqualTo(1);
    }

    @Test
    void answeredWhenEachRoundIsNackedDoublesThePauseUpToTheLongest() {
        refusal.answered(0, 0, 1);
        long now = 0;
        for (int pause : List.of(100, 200, 400, 800, 1000, 1000)) {
            assertThat(refusal.closedFor(now)).isEqualTo(Duration.ofMillis(pause));
            now += millis(pause);
            refusal.admit(now, 5, LIMIT);
            assertThat(refusal.answered(now, 0, 1)).isFalse();
        }
    }

    @Test
    void answeredWhenEachRoundIsTakenDoublesItUntilTheRefusalIsOver() {
        refusal.answered(0, 0, 1);
        IntStream.range(0, 70_000).forEach(task -> refusal.hold(0));
        long now = millis(100);
        for (int round = 1; round < Refusal.ENOUGH; round *= 2) {
            assertThat(refusal.admit(now, 300, LIMIT)).isEqualTo(round);
            assertThat(refusal.answered(now, round, 0)).isEqualTo(2 * round >= Refusal.ENOUGH);
        }
    }

    @Test
    void answeredWhenARoundIsTakenInPartMakesTheNextAsLargeAfterTheShortestPause() {
        refusal.answered(0, 0, 1);
        refusal.admit(millis(100), 5, LIMIT);
        refusal.answered(millis(100), 0, 1);
        refusal.admit(millis(300), 5, LIMIT);

        assertThat(refusal.answered(millis(300), 40, 7)).isFalse();

        assertThat(refusal.closedFor(millis(300))).isEqualTo(Refusal.FIRST_PAUSE);
        assertThat(refusal.admit(millis(400), 300, LIMIT)).isEqualTo(40);
    }

    @Test
    void answeredWhenTheOnlyTaskIsTakenAndNoneWaitsEndsTheRefusal() {
        refusal.answered(0, 0, 1);
        Duration delay = refusal.hold(0);
        refusal.admit(delay.toNanos(), 1, LIMIT);

        assertThat(refusal.answered(delay.toNanos(), 1, 0)).isTrue();
    }

    @Test
    void answeredWhenNothingIsSaidOfARoundLetsAnotherGo() {
        refusal.answered(0, 0, 1);
        refusal.admit(millis(100), 5, LIMIT);

        assertThat(refusal.answered(millis(150), 0, 0)).isFalse();

        assertThat(refusal.admit(millis(150), 5, LIMIT)).isEqualTo(1);
    }

    @Test
    void admitWhenARoundIsNeverAnsweredLetsAnotherGoAfterTheLimit() {
        refusal.answered(0, 0, 1);
        refusal.admit(millis(100), 5, LIMIT);

        assertThat(refusal.admit(millis(10_099), 5, LIMIT)).isZero();
        assertThat(refusal.admit(millis(10_100), 5, LIMIT)).isEqualTo(1);
    }

    @Test
    void holdGivesEachTaskATimeOfItsOwnAfterThePauseAndAtMostAMinuteLater() {
        refusal.answered(0, 0, 1);

        assertThat(List.of(refusal.hold(0), refusal.hold(0), refusal.hold(0)))
                .containsExactly(Duration.ofMillis(101), Duration.ofMillis(102), Duration.ofMillis(103));
        IntStream.range(0, 100_000).forEach(task -> refusal.hold(0));
        assertThat(refusal.hold(0)).isEqualTo(Duration.ofMillis(60_100));
        assertThat(refusal.hold(millis(60_000))).isLessThan(Duration.ofMillis(200));
    }

    private static long millis(long millis) {
        return Duration.ofMillis(millis).toNanos();
    }
}
