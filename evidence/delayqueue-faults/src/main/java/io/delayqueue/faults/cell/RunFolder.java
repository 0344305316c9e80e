// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import io.delayqueue.faults.check.CheckSettings;
import io.delayqueue.faults.check.Checker;
import io.delayqueue.faults.check.FinalState;
import io.delayqueue.faults.check.Finding;
import io.delayqueue.faults.check.Verdict;
import io.delayqueue.faults.history.Entry;
import io.delayqueue.faults.history.Event;
import io.delayqueue.faults.history.Histories;
import io.delayqueue.faults.history.Portion;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/** The files of a run: histories, logs, the final state, and the results. The run can be judged again from them. */
final class RunFolder {

    private static final int MOST_FINDINGS = 200;

    /** Maximum size of the histories that are judged together; they need about three times as much memory. */
    private static final long MOST_BYTES = 512L << 20;

    private final JsonMapper json = new JsonMapper();
    private final Path path;

    RunFolder(Path path) {
        this.path = path;
    }

    Path path() {
        return path;
    }

    /** Returns the file whose existence makes the applications stop scheduling. */
    Path end() {
        return path.resolve("end");
    }

    Path log(String process) {
        return path.resolve(process + ".log");
    }

    /** Returns the folder for classes and scripts of a changed library. */
    Path changed() {
        return path.resolve("changed");
    }

    /** Returns the entries before the library on the class path of an application. */
    String classPathBefore() {
        return Files.exists(changed()) ? changed().toAbsolutePath() + File.pathSeparator : "";
    }

    /** Returns how many handler calls are in progress in an application, according to its current history. */
    long atWork(String process) {
        long handling = 0;
        for (Entry entry : Histories.read(path)) {
            if (!entry.process().equals(process)) {
                continue;
            }
            if (entry.event() instanceof Event.Started) {
                handling++;
            } else if (entry.event() instanceof Event.Ended) {
                handling--;
            }
        }
        return handling;
    }

    /** Deletes the files of an earlier run. */
    void empty() throws IOException {
        if (Files.exists(path)) {
            try (Stream<Path> files = Files.walk(path)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
        Files.createDirectories(path);
    }

    /**
     * Stores the data of a run that the histories do not contain.
     *
     * @param versions versions of the servers
     */
    void keep(FinalState state, CheckSettings settings, String versions) throws IOException {
        json.writeValue(path.resolve("final-state.json"), state);
        json.writeValue(path.resolve("settings.json"), settings);
        Files.writeString(path.resolve("run.txt"), LocalDate.now(ZoneOffset.UTC) + "\n" + versions + "\n");
    }

    /** Judges the run now and returns the result. */
    CellResult result(Cell cell) throws IOException {
        List<String> run = Files.readAllLines(path.resolve("run.txt"));
        return new CellResult(cell, judge(), run.get(1), LocalDate.parse(run.get(0)));
    }

    /** Runs the checker and stores the proofs. */
    private Verdict judge() throws IOException {
        CheckSettings settings = json.readValue(path.resolve("settings.json"), CheckSettings.class);
        FinalState state = json.readValue(path.resolve("final-state.json"), FinalState.class);
        Checker checker = new Checker(settings);
        int portions = 1 + (int) (Histories.bytes(path) / MOST_BYTES);
        Verdict verdict = null;
        for (int i = 0; i < portions; i++) {
            Portion portion = new Portion(i, portions);
            Verdict one = checker.check(Histories.read(path, portion), state.in(portion));
            verdict = (verdict != null) ? verdict.and(one) : one;
        }
        Objects.requireNonNull(verdict);
        Files.write(path.resolve("verdict.txt"), report(verdict));
        return verdict;
    }

    private static List<String> report(Verdict verdict) {
        List<String> lines = new ArrayList<>();
        lines.add(verdict.line());
        for (Finding finding : verdict.findings().stream().limit(MOST_FINDINGS).toList()) {
            lines.add("");
            lines.add(finding.rule() + " " + finding.queue() + " " + finding.id() + ": " + finding.what());
            for (Entry entry : finding.proof()) {
                lines.add("    " + entry.micros() + " " + entry.process() + " " + entry.event());
            }
        }
        return lines;
    }
}
