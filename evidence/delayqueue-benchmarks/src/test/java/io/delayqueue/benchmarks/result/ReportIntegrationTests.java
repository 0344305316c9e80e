// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the report that {@code scripts/report} creates from stored runs. */
class ReportIntegrationTests {

    private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();
    private static final String THREAD = "8 threads";

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"benchmarks", "faults"})
    void pageInTheDocsIsWhatItsRecordsSay(String page) throws Exception {
        assertThat(report(page, "--check")).containsExactly("exit code 0");
    }

    @Test
    void targetWhenTheRatioIsReachedIsMet() throws Exception {
        keep(run("delayqueue", 1, 120), run("bare-script", 1, 100));
        assertThat(report()).doesNotContain("MISSED").contains("exit code 0");
        assertThat(page()).contains("| W1 | 8 threads | 120 | 100 | 1.20 | 1.20 | 1.20 | >= 1 x bare-script | pass |");
    }

    @Test
    void targetWhenTheRatioIsNotReachedIsNamedWithTheDigitsThatShowIt() throws Exception {
        keep(run("delayqueue", 1, 99.9), run("bare-script", 1, 100));
        assertThat(report()).contains("MISSED W1, 8 threads: 0.999, must be >= 1 x bare-script", "exit code 1");
    }

    @Test
    void targetWhenOneRoundWasDisturbedGoesByTheRatiosOfTheRounds() throws Exception {
        keep(
                run("delayqueue", 1, 110),
                run("bare-script", 1, 100),
                run("delayqueue", 2, 11),
                run("bare-script", 2, 10));
        assertThat(report()).contains("exit code 0");
        assertThat(page()).contains("| W1 | 8 threads | 60.5 | 55 | 1.10 |");
    }

    @Test
    void targetWhenTheBoundIsBetweenTheQuartilesIsUndecided() throws Exception {
        keep(
                run("delayqueue", 1, 80),
                run("bare-script", 1, 100),
                run("delayqueue", 2, 90),
                run("bare-script", 2, 100),
                run("delayqueue", 3, 130),
                run("bare-script", 3, 100));
        assertThat(report()).contains("MISSED W1, 8 threads: 0.90, must be >= 1 x bare-script (undecided)");
    }

    @Test
    void runWithProblemsIsNamedAndItsValuesDoNotCount() throws Exception {
        keep(
                run("W1", "delayqueue", 1, "3806a1d1", Outcome.failed("killed")),
                run("delayqueue", 2, 120),
                run("bare-script", 1, 100),
                run("bare-script", 2, 100));
        assertThat(report()).contains("MISSED W1, delayqueue, round 1: killed", "exit code 1");
        assertThat(report("benchmarks", "--print", "--folder", folder.toString()))
                .contains("| W1 | 8 threads | delayqueue | 120 | 120 | 120 | tasks/s | more | 1; 1 had problems |  |");
        assertThat(page()).contains("- W1, delayqueue, round 1: killed").doesNotContain("had problems");
    }

    @Test
    void targetWhenNothingWasMeasuredIsMissed() throws Exception {
        keep(run("W1", "delayqueue", 1, "3806a1d1", Outcome.failed("killed")), run("bare-script", 1, 100));
        assertThat(report()).contains("MISSED W1, 8 threads: not measured, must be >= 1 x bare-script");
    }

    @Test
    void targetWhenThePeersValueIsZeroIsMissed() throws Exception {
        keep(run("delayqueue", 1, 120), run("bare-script", 1, 0));
        assertThat(report()).contains("MISSED W1, 8 threads: not measured, must be >= 1 x bare-script");
    }

    @Test
    void workloadOfAnotherLibraryIsShownAndNotJudged() throws Exception {
        keep(
                run("delayqueue", 1, 50),
                run("bare-script", 1, 100),
                run("W5", "delayqueue", 1, "9f1b22c0", outcome(Map.of("bytes a task", 400.0))));
        assertThat(report()).contains("exit code 0");
        assertThat(page())
                .contains(
                        "| >= 1 x bare-script | not judged |",
                        "Not measured on the last library (9f1b22c0), and therefore not judged: W1 (3806a1d1).");
    }

    private static Run run(String subject, int round, double value) {
        return run("W1", subject, round, "3806a1d1", outcome(Map.of(THREAD, value)));
    }

    private static Run run(String workload, String subject, int round, String library, Outcome outcome) {
        Instant at = Instant.EPOCH.plusSeconds(library.startsWith("9") ? 1 : 0);
        return new Run(workload, subject, Run.NONE, round, library, "480af39f", at, 0, 0, outcome);
    }

    private static Outcome outcome(Map<String, Double> metrics) {
        return new Outcome(metrics, 1, 1, List.of(), Map.of(), 0, 1);
    }

    private void keep(Run... runs) {
        new ResultFile(folder.resolve("results-full.jsonl")).merge(List.of(runs), Map.of("memory", "24 GB"));
    }

    private String page() throws IOException {
        return Files.readString(folder.resolve("results-full.md"));
    }

    private List<String> report() throws Exception {
        return report("benchmarks", "--folder", folder.toString());
    }

    private static List<String> report(String... arguments) throws Exception {
        List<String> command =
                new ArrayList<>(List.of(ROOT.resolve("scripts/report").toString()));
        command.addAll(Arrays.asList(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        List<String> lines = new ArrayList<>(process.inputReader().lines().toList());
        lines.add("exit code " + process.waitFor());
        return lines;
    }
}
