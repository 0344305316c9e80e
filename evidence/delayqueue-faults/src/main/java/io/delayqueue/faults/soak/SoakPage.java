// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.soak;

import io.delayqueue.faults.check.Lateness;
import io.delayqueue.faults.check.LatenessOverTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The run in a page, between two markers. */
final class SoakPage {

    /** The page, seen from the folder in which {@code scripts/soak} runs. */
    static final Path PAGE = Path.of("docs", "soak.md");

    /** Where its charts are. */
    static final Path CHARTS = Path.of("docs", "images");

    static final String BEGIN = "<!-- written by scripts/soak: begin -->";
    static final String END = "<!-- written by scripts/soak: end -->";

    private final SoakResult result;
    private final Map<String, String> charts;

    /** @param charts file names, without their ending, and what they show */
    SoakPage(SoakResult result, Map<String, String> charts) {
        this.result = result;
        this.charts = charts;
    }

    void update(Path page) throws IOException {
        Files.write(page, updated(Files.readAllLines(page)));
    }

    /** @throws IllegalArgumentException if the page lacks the markers */
    List<String> updated(List<String> lines) {
        int begin = lines.indexOf(BEGIN);
        int end = lines.indexOf(END);
        if (begin < 0 || end < begin) {
            throw new IllegalArgumentException("The page lacks the markers of the run");
        }
        List<String> updated = new ArrayList<>(lines.subList(0, begin + 1));
        updated.add("");
        updated.addAll(run());
        updated.add("");
        updated.addAll(lines.subList(end, lines.size()));
        return updated;
    }

    private List<String> run() {
        List<String> lines = new ArrayList<>();
        verdict(lines);
        trends(lines);
        lateness(lines);
        faults(lines);
        lines.add("");
        lines.add("### Measured on");
        lines.add("");
        result.facts().facts().forEach((name, value) -> lines.add("- " + name + ": " + value));
        lines.add("- the same faults again: `--seed " + result.facts().seed() + "`");
        return lines;
    }

    private void verdict(List<String> lines) {
        long minutes = result.facts().seconds() / 60;
        List<String> problems = result.problems();
        lines.add("A run of " + minutes + " minutes with " + result.faults().size() + " faults, begun at "
                + result.facts().facts().get("begun") + " on commit `"
                + result.facts().facts().get("commit") + "`: "
                + (problems.isEmpty() ? "**all kept, and flat**." : "**not as it has to be**."));
        lines.add("");
        if (!problems.isEmpty()) {
            problems.forEach(problem -> lines.add("- " + problem));
            lines.add("");
        }
        Judgement judgement = result.judgement();
        if (judgement != null) {
            lines.add(
                    "| scheduled | of unknown answer | delivered | dead | cancelled | lost | early | duplicates explained /"
                            + " unexplained |");
            lines.add("| --: | --: | --: | --: | --: | --: | --: | --: |");
            row(
                    lines,
                    judgement.scheduled(),
                    judgement.unknown(),
                    judgement.delivered(),
                    judgement.dead(),
                    judgement.cancelled(),
                    judgement.lost(),
                    judgement.early(),
                    judgement.explained() + " / " + judgement.unexplained());
            lines.add("");
        }
    }

    private void trends(List<String> lines) {
        lines.add("### What must not grow");
        lines.add("");
        lines.add("| median of | second quarter | last quarter | may be higher by | |");
        lines.add("| --- | --: | --: | --: | --- |");
        for (Trend trend : result.trends()) {
            Metric metric = trend.metric();
            Long second = trend.second();
            Long last = trend.last();
            row(
                    lines,
                    metric.text(),
                    second != null ? metric.show(second) : "-",
                    last != null ? metric.show(last) : "-",
                    metric.allowance(),
                    trend.problem() == null ? "flat" : "**not flat**");
        }
        lines.add("");
        charts.forEach((name, title) -> lines.add("![" + title + "](images/" + name + ".png)"));
        lines.add("");
    }

    private void lateness(List<String> lines) {
        lines.add("### How late");
        lines.add("");
        lines.add("Of first attempts, in milliseconds. Outside of faults 99% have to begin within "
                + SoakResult.P99.toMillis() + " ms.");
        lines.add("");
        lines.add("| minutes | attempts outside of faults | p50 | p99 | max | all attempts | p50 | p99 | max |");
        lines.add("| --- | --: | --: | --: | --: | --: | --: | --: | --: |");
        double minutes = result.slice().toSeconds() / 60.0;
        for (int i = 0; i < result.slices().size(); i++) {
            LatenessOverTime.Slice slice = result.slices().get(i);
            Lateness calm = slice.calm();
            Lateness all = slice.all();
            row(
                    lines,
                    minute(i * minutes) + " to " + minute((i + 1) * minutes),
                    calm.count(),
                    millis(calm.p50().toNanos()),
                    millis(calm.p99().toNanos()),
                    millis(calm.max().toNanos()),
                    all.count(),
                    millis(all.p50().toNanos()),
                    millis(all.p99().toNanos()),
                    millis(all.max().toNanos()));
        }
        lines.add("");
    }

    private void faults(List<String> lines) {
        lines.add("### The faults");
        lines.add("");
        lines.add("| minute | fault | what was done | seconds |");
        lines.add("| --: | --- | --- | --: |");
        for (Disturbance fault : result.faults()) {
            Long to = fault.to();
            row(
                    lines,
                    result.minutesOf(fault.from()),
                    "`" + fault.name() + "`",
                    fault.description(),
                    to != null ? String.valueOf((to - fault.from()) / 1_000_000) : "-");
        }
    }

    private static String minute(double minutes) {
        return minutes == Math.rint(minutes) ? String.valueOf((long) minutes) : String.valueOf(minutes);
    }

    private static String millis(long nanos) {
        return String.valueOf(Math.round(nanos / 1e5) / 10.0);
    }

    private static void row(List<String> lines, Object... cells) {
        StringBuilder row = new StringBuilder("|");
        for (Object cell : cells) {
            row.append(' ').append(cell).append(" |");
        }
        lines.add(row.toString());
    }
}
