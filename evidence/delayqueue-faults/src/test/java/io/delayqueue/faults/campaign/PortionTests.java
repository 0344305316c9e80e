// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.campaign;

import static io.delayqueue.faults.campaign.Made.kept;
import static io.delayqueue.faults.campaign.Made.outcome;
import static io.delayqueue.faults.campaign.Made.planned;
import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.faults.cell.Outcome;
import io.delayqueue.faults.cell.Outcome.Ending;
import io.delayqueue.faults.check.Rule;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class PortionTests {

    private final List<String> made = new CopyOnWriteArrayList<>();
    private final Map<String, String> done = new ConcurrentHashMap<>();
    private final AtomicInteger atATime = new AtomicInteger();

    @Test
    void runWhenOneIsLateBesideAnotherRunsItOnceMoreAloneAndSaysSo() throws InterruptedException {
        CyclicBarrier together = new CyclicBarrier(2);
        new Portion(
                        run -> make(run, () -> {
                            if (Collections.frequency(made, run.cell()) > 1) {
                                return atATime.get() == 1 ? kept() : outcome(Ending.BROKEN, Rule.LOST);
                            }
                            if (List.of("late", "good").contains(run.cell())) {
                                meet(together);
                            }
                            return run.cell().equals("late") ? outcome(Ending.BROKEN, Rule.LATE) : kept();
                        }),
                        this::done,
                        2,
                        () -> true)
                .run(List.of(planned("late", 1), planned("good", 1), planned("third", 1), planned("fourth", 1)));
        assertThat(made).containsExactlyInAnyOrder("late", "good", "third", "fourth", "late");
        assertThat(done)
                .containsEntry("late", "KEPT [beside another run it broke [LATE], and was repeated alone]")
                .containsEntry("good", "KEPT []")
                .containsEntry("third", "KEPT []")
                .containsEntry("fourth", "KEPT []");
    }

    @Test
    void runWhenMoreThanTheTimeIsWrongBesideAnotherHasThatCount() throws InterruptedException {
        CyclicBarrier together = new CyclicBarrier(2);
        new Portion(
                        run -> make(run, () -> {
                            meet(together);
                            return outcome(Ending.BROKEN, Rule.LATE, Rule.LOST);
                        }),
                        this::done,
                        2,
                        () -> true)
                .run(List.of(planned("one", 1), planned("two", 1)));
        assertThat(made).containsExactlyInAnyOrder("one", "two");
        assertThat(done).containsEntry("one", "BROKEN []").containsEntry("two", "BROKEN []");
    }

    @Test
    void runWhenOneHasToBeAloneRunsNoOtherBesideIt() throws InterruptedException {
        List<Planned> runs = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            runs.add(new Planned("cell-" + i, null, 1, 120, i % 3 == 0));
        }
        new Portion(
                        run -> make(
                                run,
                                () -> run.alone() && atATime.get() > 1 ? outcome(Ending.BROKEN, Rule.LOST) : kept()),
                        this::done,
                        3,
                        () -> true)
                .run(runs);
        assertThat(done).hasSize(20).allSatisfy((cell, said) -> assertThat(said).isEqualTo("KEPT []"));
    }

    private Outcome make(Planned run, Supplier<Outcome> how) {
        made.add(run.cell());
        atATime.incrementAndGet();
        try {
            return how.get();
        } finally {
            atATime.decrementAndGet();
        }
    }

    private void done(Planned run, Outcome outcome, List<String> notes) {
        done.put(run.cell(), outcome.ending() + " " + notes);
    }

    private static void meet(CyclicBarrier barrier) {
        try {
            barrier.await(30, TimeUnit.SECONDS);
        } catch (Exception ex) {
            throw new IllegalStateException(ex);
        }
    }
}
