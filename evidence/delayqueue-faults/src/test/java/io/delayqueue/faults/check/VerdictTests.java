// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.faults.check.FinalState.Dead;
import io.delayqueue.faults.check.FinalState.Live;
import io.delayqueue.faults.history.Portion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A run that is judged in portions. */
class VerdictTests {

    private static final Finding LOST = new Finding(Rule.LOST, "queue", "id", "lost", List.of());
    private static final Finding EARLY = new Finding(Rule.EARLY, "queue", "id", "early", List.of());

    @Test
    void andWhenBothHaveSomethingAddsUpAndTakesTheHigherLateness() {
        Verdict both = verdict(1, Duration.ofSeconds(2), LOST).and(verdict(10, Duration.ofSeconds(1), EARLY));
        assertThat(both)
                .isEqualTo(new Verdict(
                        "cell",
                        11,
                        22,
                        33,
                        44,
                        55,
                        66,
                        77,
                        88,
                        99,
                        110,
                        121,
                        new Lateness(11, Duration.ofMillis(10), Duration.ofMillis(20), Duration.ofMillis(30)),
                        new Lateness(11, Duration.ofMillis(10), Duration.ofMillis(20), Duration.ofMillis(30)),
                        Duration.ofSeconds(2),
                        List.of(LOST, EARLY)));
        assertThat(both.isAcquitted()).isFalse();
    }

    @Test
    void andWhenOneHasNoRecoveryTakesThatOfTheOther() {
        assertThat(verdict(1, null).and(verdict(1, Duration.ofSeconds(1))).recovery())
                .isEqualTo(Duration.ofSeconds(1));
        assertThat(verdict(1, Duration.ofSeconds(1)).and(verdict(1, null)).recovery())
                .isEqualTo(Duration.ofSeconds(1));
        assertThat(verdict(1, null).and(verdict(1, null)).recovery()).isNull();
    }

    @Test
    void inWhenAllPortionsAreTakenGivesEachThingOnce() {
        List<Live> live = IntStream.range(0, 20)
                .mapToObj(i -> new Live("queue", 0, "live " + i, null))
                .toList();
        List<Dead> dead = IntStream.range(0, 20)
                .mapToObj(i -> new Dead("queue", 0, "dead " + i, null, 1, 1, "reason"))
                .toList();
        FinalState end = new FinalState(live, dead, List.of("key"));
        List<Object> all = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            FinalState part = end.in(new Portion(i, 3));
            all.addAll(part.live());
            all.addAll(part.dead());
            all.addAll(part.others());
        }
        assertThat(all).hasSize(41).containsAll(live).containsAll(dead).contains("key");
        assertThat(end.in(Portion.ALL)).isEqualTo(end);
    }

    private static Verdict verdict(int n, @Nullable Duration recovery, Finding... findings) {
        Lateness lateness = new Lateness(n, Duration.ofMillis(n), Duration.ofMillis(2L * n), Duration.ofMillis(3L * n));
        return new Verdict(
                "cell",
                n,
                2 * n,
                3 * n,
                4 * n,
                5 * n,
                6 * n,
                7 * n,
                8 * n,
                9 * n,
                10 * n,
                11 * n,
                lateness,
                lateness,
                recovery,
                List.of(findings));
    }
}
