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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Runs what the options ask for, keeps the results after every workload, and tells what was missed. */
public final class Command {

    private static final Path DOCS = Path.of("docs", "benchmarks");
    private static final Path TARGET = Path.of("delayqueue-benchmarks", "target", "results");

    private final Options options;
    private final Map<String, String> machine = Machine.describe();

    public Command(Options options) {
        this.options = options;
    }

    /** Answers whether every target of what was measured now is met. */
    public boolean run() throws InterruptedException {
        long began = System.nanoTime();
        Path folder = options.writeDocs() ? DOCS : TARGET;
        String kind = options.quick() ? "quick" : "full";
        ResultFile file = new ResultFile(folder.resolve("results-" + kind + ".json"));
        Sitting sitting = new Sitting(options.quick(), options.profile(), TARGET.resolve("runs"));
        List<Run> measured = new ArrayList<>();
        for (Plan plan : options.plans()) {
            List<Run> runs = sitting.run(plan);
            measured.addAll(runs);
            write(folder, kind, file.merge(runs, machine));
        }
        System.out.println("\n" + new Report(measured, machine).text("Results, " + kind, List.of()));
        System.out.println("Written to " + folder + ", took " + (System.nanoTime() - began) / 1_000_000_000L + " s");
        List<String> missed = Targets.missed(measured);
        missed.forEach(row -> System.out.println("MISSED " + row));
        return missed.isEmpty();
    }

    private void write(Path folder, String kind, List<Run> runs) {
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
