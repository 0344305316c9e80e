// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.faults.Seed;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ChanceTests {

    private static final Duration TEN = Duration.ofSeconds(10);

    @Test
    void timesWhenTheSeedIsAnotherAreOthers() {
        assertThat(times(new Chance(new Seed(1), "cell"))).isEqualTo(times(new Chance(new Seed(1), "cell")));
        assertThat(times(new Chance(new Seed(1), "cell"))).isNotEqualTo(times(new Chance(new Seed(2), "cell")));
    }

    @Test
    void warmUpWhenDrawnIsNeverShorterAndAtMostHalfLonger() {
        Chance chance = new Chance(new Seed(1), "cell");
        assertThat(Stream.generate(() -> chance.warmUp(TEN)).limit(1000))
                .allMatch(time -> time.compareTo(TEN) >= 0 && time.compareTo(Duration.ofSeconds(15)) <= 0)
                .anyMatch(time -> time.compareTo(Duration.ofSeconds(14)) > 0);
    }

    @Test
    void pauseWhenDrawnIsAFifthOffAtMost() {
        Chance chance = new Chance(new Seed(1), "cell");
        assertThat(Stream.generate(() -> chance.pause(TEN)).limit(1000))
                .allMatch(time ->
                        time.compareTo(Duration.ofSeconds(8)) >= 0 && time.compareTo(Duration.ofSeconds(12)) <= 0)
                .anyMatch(time -> time.compareTo(Duration.ofSeconds(9)) < 0)
                .anyMatch(time -> time.compareTo(Duration.ofSeconds(11)) > 0);
        assertThat(chance.pause(Duration.ZERO)).isZero();
    }

    private static List<Duration> times(Chance chance) {
        return List.of(chance.warmUp(TEN), chance.pause(TEN), chance.pause(TEN));
    }
}
