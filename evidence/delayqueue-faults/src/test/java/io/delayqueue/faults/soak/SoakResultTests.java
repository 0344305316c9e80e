// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.faults.check.CheckSettings.Window;
import io.delayqueue.faults.check.Lateness;
import io.delayqueue.faults.check.LatenessOverTime.Slice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SoakResultTests {

    private static final Judgement KEPT = new Judgement(10, 1, 8, 0, 2, 0, 0, 1, 0, List.of());
    private static final Disturbance FAULT = new Disturbance("redis-kill", "Redis is killed", 60_000_000, 75_000_000L);
    private static final Lateness GOOD = lateness(3, 20);

    @Test
    void problemsWhenAllIsWellAreNone() {
        assertThat(result(KEPT, FAULT, GOOD).problems()).isEmpty();
    }

    @Test
    void problemsWhenTasksWereLostNameTheRule() {
        Judgement lost = new Judgement(10, 1, 8, 0, 2, 1, 0, 1, 0, List.of("LOST"));
        assertThat(result(lost, FAULT, GOOD).problems()).containsExactly("the checker found LOST");
    }

    @Test
    void problemsWhenNobodyJudgedSayThatTheRunWasBrokenOff() {
        assertThat(result(null, FAULT, GOOD).problems())
                .singleElement()
                .asString()
                .contains("broken off after 4 minutes");
    }

    @Test
    void problemsWhenAQuarterIsLateNameIt() {
        assertThat(result(KEPT, FAULT, lateness(3, 251)).problems())
                .containsExactly("slice 2 of 1 minutes: p99 of 251 ms outside of faults, more than 250 ms");
        assertThat(result(KEPT, FAULT, lateness(3, 250)).problems()).isEmpty();
    }

    @Test
    void problemsWhenNothingWasAttemptedSaySo() {
        assertThat(result(KEPT, FAULT, Lateness.of(List.of())).problems())
                .containsExactly("slice 2 of 1 minutes: no attempt outside of faults");
    }

    @Test
    void problemsWhenAFaultHasNoEndNameIt() {
        assertThat(result(KEPT, new Disturbance("redis-kill", "Redis is killed", 60_000_000, null), GOOD)
                        .problems())
                .containsExactly("redis-kill did not come to its end");
    }

    @Test
    void updatedWhenThereIsAnotherRunOnThePageReplacesIt() {
        SoakPage page = new SoakPage(result(KEPT, FAULT, lateness(3.25, 251)), Map.of("soak-heap", "Heap"));
        List<String> before = List.of("# Page", SoakPage.BEGIN, "old", SoakPage.END, "after");
        List<String> once = page.updated(before);
        assertThat(once)
                .startsWith("# Page", SoakPage.BEGIN)
                .endsWith(SoakPage.END, "after")
                .doesNotContain("old")
                .contains("| heap after a full collection | 0.0 MiB | 0.0 MiB | 10% and 2.0 MiB | flat |")
                .contains("| 1 to 2 | 2 | 3.3 | 251.0 | 251.0 | 2 | 3.0 | 20.0 | 20.0 |")
                .contains("| 1 | `redis-kill` | Redis is killed | 15 |")
                .contains("| 10 | 1 | 8 | 0 | 2 | 0 | 0 | 1 / 0 |")
                .contains("![Heap](images/soak-heap.png)")
                .anyMatch(line -> line.contains("on commit `abc`: **not as it has to be**"));
        assertThat(page.updated(once)).isEqualTo(once);
    }

    @Test
    void updatedWhenThePageIsThatOfTheDocsFindsItsPlace() throws IOException {
        List<String> page = Files.readAllLines(Path.of("../..").resolve(SoakPage.PAGE));
        assertThat(new SoakPage(result(KEPT, FAULT, GOOD), Map.of()).updated(page))
                .anyMatch(line -> line.contains("**all kept, and flat**"));
    }

    @Test
    void windowWhenAFaultHasEndedIsFromASecondBeforeUntilItIsForgotten() {
        assertThat(FAULT.window()).isEqualTo(new Window(59_000_000, 105_000_000));
        assertThat(new Disturbance("one", "first", 60_000_000, null).window())
                .isEqualTo(new Window(59_000_000, Long.MAX_VALUE));
    }

    private static SoakResult result(@Nullable Judgement judgement, Disturbance fault, Lateness second) {
        List<Sample> samples = LongStream.rangeClosed(0, 24)
                .mapToObj(i -> TrendTests.sample(i * 10_000_000, 40))
                .toList();
        Slice good = new Slice(GOOD, GOOD);
        return new SoakResult(
                new RunFacts(0, 240, 60, 7, Map.of("commit", "abc", "begun", "2026-01-31")),
                new Window(0, 240_000_000),
                samples,
                List.of(fault),
                judgement,
                Duration.ofMinutes(1),
                List.of(good, new Slice(GOOD, second), good, good),
                List.of());
    }

    private static Lateness lateness(double p50, long p99) {
        return Lateness.of(List.of((long) (p50 * 1000), p99 * 1000));
    }
}
