// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import io.delayqueue.faults.check.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The table of cells in a page, between two markers: rows of cells that were run are replaced or added, others stay.
 */
final class FaultRunsTable {

    /** The page, seen from the folder in which {@code scripts/faults} runs. */
    static final Path PAGE = Path.of("docs", "fault-runs.md");

    static final String BEGIN = "<!-- written by scripts/faults --write-docs: begin -->";
    static final String END = "<!-- written by scripts/faults --write-docs: end -->";

    private static final List<String> HEAD = List.of(
            "| cell | what happened | on | run | scheduled | delivered | dead | cancelled | lost | duplicates explained"
                    + " / unexplained | early | p99 late | overdue attempted within | p99 late afterwards | verdict |",
            "| --- | --- | --- | --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --- |");

    private final Collection<String> order;

    /**
     * A table.
     *
     * @param order the names of all cells; rows of others are dropped, and so are all that were written for other
     *     columns
     */
    FaultRunsTable(Collection<String> order) {
        this.order = order;
    }

    void update(Path page, List<CellResult> results) throws IOException {
        Files.write(page, updated(Files.readAllLines(page), results));
    }

    /** @throws IllegalArgumentException if the page lacks the markers */
    List<String> updated(List<String> lines, List<CellResult> results) {
        int begin = lines.indexOf(BEGIN);
        int end = lines.indexOf(END);
        if (begin < 0 || end < begin) {
            throw new IllegalArgumentException("The page lacks the markers of the table");
        }
        Map<String, String> rows = new LinkedHashMap<>();
        List<String> table = lines.subList(begin + 1, end);
        boolean isOfTheseColumns = table.contains(HEAD.get(0));
        for (String line : table) {
            if (isOfTheseColumns && line.startsWith("| `")) {
                rows.put(line.substring(3, line.indexOf('`', 3)), line);
            }
        }
        results.forEach(result -> rows.put(result.cell().name(), row(result)));
        List<String> updated = new ArrayList<>(lines.subList(0, begin + 1));
        updated.add("");
        updated.addAll(HEAD);
        for (String name : order) {
            String row = rows.get(name);
            if (row != null) {
                updated.add(row);
            }
        }
        updated.add("");
        updated.addAll(lines.subList(end, lines.size()));
        return updated;
    }

    private static String row(CellResult result) {
        Verdict verdict = result.verdict();
        String loss = verdict.lost()
                + (verdict.lossAllowed() > 0
                        ? " (+" + verdict.lossAllowed() + ": " + result.cell().loss() + ")"
                        : "");
        List<String> fields = List.of(
                "`" + verdict.cell() + "`",
                result.cell().description(),
                result.versions(),
                result.day().toString(),
                String.valueOf(verdict.scheduled()),
                String.valueOf(verdict.delivered()),
                String.valueOf(verdict.dead()),
                verdict.cancelled() + (verdict.misfired() > 0 ? " (+" + verdict.misfired() + " misfired)" : ""),
                loss,
                verdict.explained() + " / " + verdict.unexplained(),
                String.valueOf(verdict.early()),
                millis(verdict.lateness().p99()),
                millis(verdict.recovery()),
                verdict.latenessAfter().count() > 0
                        ? millis(verdict.latenessAfter().p99())
                        : "-",
                verdict.isAcquitted() ? "kept" : "broken: " + verdict.broken());
        return "| " + String.join(" | ", fields) + " |";
    }

    private static String millis(@Nullable Duration time) {
        return time != null ? time.toMillis() + " ms" : "-";
    }
}
