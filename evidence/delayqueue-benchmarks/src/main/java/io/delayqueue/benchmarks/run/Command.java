// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.run;

import io.delayqueue.benchmarks.result.Charts;
import io.delayqueue.benchmarks.result.Machine;
import io.delayqueue.benchmarks.result.Report;
import io.delayqueue.benchmarks.result.ResultFile;
import io.delayqueue.benchmarks.result.Run;
import io.delayqueue.benchmarks.result.Targets;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Runs what the options ask for, keeps the results after every workload, and tells what was missed. */
public final class Command {

    private static final Path DOCS = Path.of("docs", "benchmarks");
    private static final Path TARGET = Path.of("evidence", "delayqueue-benchmarks", "target", "results");

    /** A quick run takes 8 minutes at most; this leaves some for the report. */
    private static final Duration QUICK_LIMIT = Duration.ofSeconds(465);

    private final Options options;
    private final Path folder;
    private final String kind;
    private final ResultFile file;
    private final Sitting sitting;
    private final Map<String, String> machine = Machine.describe();
    private final List<Run> measured = new ArrayList<>();
    private final Instant began =
            Instant.ofEpochSecond(Long.getLong("benchmark.began", Instant.now().getEpochSecond()));

    public Command(Options options) {
        this.options = options;
        this.folder = options.writeDocs() ? DOCS : TARGET;
        this.kind = options.quick() ? "quick" : "full";
        this.file = new ResultFile(folder.resolve("results-" + kind + ".json"));
        this.sitting = new Sitting(options.quick(), options.profile(), TARGET.resolve("runs"), Machine.library());
    }

    /**
     * Answers 0 when every target of what was measured is met, 1 when one is missed, and 3 when they are met and there is
     * more to measure.
     */
    public int run() throws InterruptedException {
        boolean ended = true;
        if (options.quick() && options.rounds() == 0) {
            runWithinLimit(options.plans());
        } else if (!options.quick() && options.writeDocs()) {
            ended = goOn(options.plans());
        } else {
            for (Plan plan : options.plans()) {
                run(plan, 1, plan.rounds());
            }
        }
        System.out.println("\n" + new Report(measured, machine).text("Results, " + kind, List.of()));
        System.out.println("Written to " + folder + ", took " + elapsed().toSeconds() + " s");
        List<String> missed = Targets.missed(measured);
        missed.forEach(row -> System.out.println("MISSED " + row));
        if (!ended) {
            System.out.println("There is more to measure: start the same once more");
        }
        return !missed.isEmpty() ? 1 : ended ? 0 : 3;
    }

    /**
     * What has not been measured on this library, a round of all workloads before the next round of any. Answers whether
     * that is all.
     */
    private boolean goOn(List<Plan> plans) throws InterruptedException {
        List<String> anew = options.again() ? plans.stream().map(Plan::workload).toList() : List.of();
        file.read().stream()
                .filter(run -> run.isOf(Machine.library()) && !anew.contains(run.workload()))
                .forEach(measured::add);
        int rounds = plans.stream().mapToInt(Plan::rounds).max().orElse(0);
        for (int round = 1; round <= rounds; round++) {
            for (Plan plan : plans) {
                if (round <= plan.rounds() && !plan.isIn(measured, round)) {
                    if (elapsed().compareTo(options.portion()) > 0) {
                        return false;
                    }
                    measured.removeIf(plan.ofRound(round));
                    run(plan, round, round);
                }
            }
        }
        return true;
    }

    /**
     * One round of each; then further rounds while there is time, first of what was missed: it may have been disturbed.
     */
    private void runWithinLimit(List<Plan> plans) throws InterruptedException {
        Map<String, Duration> took = new HashMap<>();
        for (Plan plan : plans) {
            Duration before = elapsed();
            run(plan, 1, 1);
            took.put(plan.workload(), elapsed().minus(before));
        }
        for (int round = 2; round <= 3; round++) {
            for (Plan plan : missedFirst(plans)) {
                Duration need = took.getOrDefault(plan.workload(), Duration.ZERO);
                if (round <= plan.rounds() && elapsed().plus(need).compareTo(QUICK_LIMIT) < 0) {
                    run(plan, round, round);
                }
            }
        }
    }

    private List<Plan> missedFirst(List<Plan> plans) {
        List<String> missed = Targets.missed(measured);
        return plans.stream()
                .sorted(Comparator.comparing(
                        plan -> missed.stream().noneMatch(row -> row.startsWith(plan.workload() + ","))))
                .toList();
    }

    private Duration elapsed() {
        return Duration.between(began, Instant.now());
    }

    private void run(Plan plan, int firstRound, int lastRound) throws InterruptedException {
        measured.addAll(sitting.run(plan, firstRound, lastRound));
        List<Run> ofWorkload = measured.stream()
                .filter(run -> run.workload().equals(plan.workload()))
                .toList();
        write(file.merge(ofWorkload, machine));
    }

    private void write(List<Run> runs) {
        List<String> charts = Charts.write(runs, folder, kind);
        try {
            Files.writeString(
                    folder.resolve("results-" + kind + ".md"),
                    new Report(runs, machine).text("Results, " + kind, charts));
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }
}
