// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.result;

import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The results as Markdown. */
public final class Report {

    private final Results results;
    private final Libraries libraries;
    private final Map<String, String> machine;

    /**
     * @param machine what it was measured on and with, by name
     */
    public Report(Collection<Run> runs, Map<String, String> machine) {
        this.results = new Results(runs);
        this.libraries = new Libraries(runs);
        this.machine = machine;
    }

    /** All of it. */
    public String text(String title, List<String> charts) {
        StringBuilder text = new StringBuilder("# " + title + "\n\n"
                + "Written by `scripts/benchmark`; what the rows mean is in [README.md](README.md). Only ratios within one"
                + " sitting say anything.\n\n## Targets\n\n");
        targets(text);
        text.append("\n## Measurements\n\n");
        new MeasurementTable(results).write(text);
        charts.forEach(chart ->
                text.append("\n![").append(chart).append("](").append(chart).append(")\n"));
        problems(text);
        text.append("\n## Measured on\n\n");
        measuredOn(text);
        machine.forEach((name, value) ->
                text.append("- ").append(name).append(": ").append(value).append('\n'));
        return text.toString();
    }

    private void measuredOn(StringBuilder text) {
        text.append("| workload | library | begun | processor | load when runs began |\n");
        text.append("| --- | --- | --- | --- | ---: |\n");
        for (String workload : results.workloads()) {
            List<Run> runs = results.of(workload);
            row(
                    text,
                    List.of(
                            workload,
                            runs.stream().map(Run::library).distinct().collect(Collectors.joining(", ")),
                            runs.stream()
                                    .map(run -> LocalDate.ofInstant(run.at(), ZoneOffset.UTC)
                                            .toString())
                                    .distinct()
                                    .sorted()
                                    .collect(Collectors.joining(", ")),
                            processors(runs),
                            Numbers.text(Summary.of(runs.stream().map(Run::load).toList())
                                    .median())));
        }
        text.append('\n');
    }

    /** With the rounds of each, where there are several. */
    private static String processors(List<Run> runs) {
        Map<String, SortedSet<Integer>> rounds = new LinkedHashMap<>();
        for (Run run : runs) {
            rounds.computeIfAbsent(run.processor(), processor -> new TreeSet<>())
                    .add(run.round());
        }
        if (rounds.size() == 1) {
            return runs.get(0).processor();
        }
        return rounds.entrySet().stream()
                .map(of -> of.getKey() + " (round "
                        + of.getValue().stream().map(String::valueOf).collect(Collectors.joining(", ")) + ")")
                .collect(Collectors.joining("; "));
    }

    private void targets(StringBuilder text) {
        text.append("| workload | what | delayqueue | peer | measured | least | greatest | target | |\n");
        text.append("| --- | --- | ---: | ---: | ---: | ---: | ---: | --- | --- |\n");
        for (Verdict verdict : Targets.judge(results)) {
            row(text, verdict.cells(libraries.isLastOf(verdict.target().workload())));
        }
        text.append(libraries.line());
    }

    private void problems(StringBuilder text) {
        List<String> own = results.problems(true);
        List<String> theirs = results.problems(false);
        if (own.isEmpty() && theirs.isEmpty()) {
            text.append("\nEvery task that was sent was delivered, once, by every subject in every run.\n");
            return;
        }
        text.append("\n## Sent and not delivered, and other problems\n\n");
        own.forEach(problem -> text.append("- ").append(problem).append('\n'));
        theirs.forEach(problem -> text.append("- ").append(problem).append('\n'));
    }

    static void row(StringBuilder text, List<String> cells) {
        text.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }
}
