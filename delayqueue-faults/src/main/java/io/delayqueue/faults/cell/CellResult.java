// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import io.delayqueue.faults.check.Finding;
import io.delayqueue.faults.check.Verdict;
import io.delayqueue.faults.history.Entry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What came of a cell.
 *
 * @param cell which
 * @param verdict the checker's
 * @param versions of the servers
 */
public record CellResult(Cell cell, Verdict verdict, String versions) {

    private static final int MOST_FINDINGS = 200;

    /** Writes the findings with their proofs, for people. */
    void writeTo(Path folder) throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add(verdict.line());
        for (Finding finding : verdict.findings().stream().limit(MOST_FINDINGS).toList()) {
            lines.add("");
            lines.add(finding.rule() + " " + finding.queue() + " " + finding.id() + ": " + finding.what());
            for (Entry entry : finding.proof()) {
                lines.add("    " + entry.micros() + " " + entry.process() + " " + entry.event());
            }
        }
        Files.write(folder.resolve("verdict.txt"), lines);
    }
}
