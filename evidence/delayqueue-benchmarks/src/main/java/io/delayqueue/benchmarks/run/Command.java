// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.run;

import io.delayqueue.benchmarks.result.Machine;
import io.delayqueue.benchmarks.result.ResultFile;
import io.delayqueue.benchmarks.result.Run;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs what the options request, stores the results after every workload, and reports missed targets. */
public final class Command {

    private static final Path DOCS = Path.of("evidence", "docs", "benchmarks");
    private static final Path TARGET = Path.of("evidence", "delayqueue-benchmarks", "target", "results");

    /** Time limit for measurements of a quick run. A quick run takes 8 minutes at most, including the report. */
    private static final Duration QUICK_LIMIT = Duration.ofSeconds(465);

    private final Options options;
    private final Path folder;
    private final String kind;
    private final ResultFile file;
    private final Sitting sitting;
    private final List<Plan> plans;
    private final Map<String, String> machine = new LinkedHashMap<>(Machine.describe());
    private final List<Run> measured = new ArrayList<>();
    private final Instant began =
            Instant.ofEpochSecond(Long.getLong("benchmark.began", Instant.now().getEpochSecond()));

    /** @throws IllegalArgumentException if the options request something that is unavailable on this machine */
    public Command(Options options) {
        this.options = options;
        this.plans = options.plans();
        this.folder = options.writeDocs() ? DOCS : TARGET;
        this.kind = options.quick() ? "quick" : "full";
        this.file = new ResultFile(folder.resolve("results-" + kind + ".jsonl"));
        this.sitting = new Sitting(options.quick(), TARGET.resolve("runs"));
    }

    /** Returns 0 if every target is met, 1 if a target is missed, and 3 if there is more to measure. */
    public int run() throws InterruptedException {
        boolean ended = true;
        if (options.quick() && options.rounds() == 0) {
            runWithinLimit();
        } else if (!options.quick() && options.writeDocs()) {
            machine.putAll(ServerVersions.read());
            ended = goOn();
        } else {
            for (Plan plan : plans) {
                file.forget(run -> run.workload().equals(plan.workload())
                        && plan.subjects().contains(run.subject()));
                for (int round = 1; round <= plan.rounds(); round++) {
                    run(plan, round);
                }
            }
        }
        int judged = report();
        System.out.println("Written to " + folder + ", took " + elapsed().toSeconds() + " s");
        if (!ended) {
            System.out.println("More workloads remain: start the same command once more");
        }
        return ended ? judged : 3;
    }

    /** Writes the page from all stored runs. Returns 0 if every target is met, and 1 if a target is missed. */
    private int report() throws InterruptedException {
        List<String> command = new ArrayList<>(List.of("scripts/report", "benchmarks", "--folder", folder.toString()));
        if (options.quick()) {
            command.add("--quick");
        }
        if (!options.writeDocs()) {
            command.add("--print");
        }
        try {
            return new ProcessBuilder(command).inheritIO().start().waitFor();
        } catch (IOException ex) {
            throw new UncheckedIOException("The results are kept, but scripts/report could not be run", ex);
        }
    }

    /**
     * Makes the missing measurements of this library, round by round over all workloads. Returns whether all are
     * complete. A failed measurement is repeated only when the command is started again.
     */
    private boolean goOn() throws InterruptedException {
        if (options.again()) {
            List<String> anew = plans.stream().map(Plan::workload).toList();
            file.forget(run -> anew.contains(run.workload()));
        }
        file.read().stream()
                .filter(run -> run.isOf(Machine.library(), Machine.harness()))
                .forEach(measured::add);
        int rounds = plans.stream().mapToInt(Plan::rounds).max().orElse(0);
        for (int round = 1; round <= rounds; round++) {
            for (Plan plan : plans) {
                for (String variant : plan.variants()) {
                    if (round <= plan.rounds() && !plan.isIn(measured, variant, round)) {
                        if (elapsed().compareTo(options.portion()) > 0) {
                            return false;
                        }
                        run(plan, variant, round);
                    }
                }
            }
        }
        return true;
    }

    /** Runs one round of each workload, then further rounds while there is time left. */
    private void runWithinLimit() throws InterruptedException {
        Map<String, Duration> took = new HashMap<>();
        for (Plan plan : plans) {
            Duration before = elapsed();
            run(plan, 1);
            took.put(plan.workload(), elapsed().minus(before));
        }
        for (int round = 2; round <= 3; round++) {
            for (Plan plan : plans) {
                Duration need = took.getOrDefault(plan.workload(), Duration.ZERO);
                if (round <= plan.rounds() && elapsed().plus(need).compareTo(QUICK_LIMIT) < 0) {
                    run(plan, round);
                }
            }
        }
    }

    private Duration elapsed() {
        return Duration.between(began, Instant.now());
    }

    private void run(Plan plan, int round) throws InterruptedException {
        for (String variant : plan.variants()) {
            run(plan, variant, round);
        }
    }

    private void run(Plan plan, String variant, int round) throws InterruptedException {
        measured.removeIf(plan.ofRound(variant, round));
        List<Run> runs = sitting.run(plan, variant, round);
        measured.addAll(runs);
        file.merge(runs, machine);
    }
}
