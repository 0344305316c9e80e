// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import io.delayqueue.faults.ApplicationProcess;
import io.delayqueue.faults.Seed;
import io.delayqueue.faults.check.Rule;
import io.delayqueue.faults.outbox.RoundsCell;
import io.delayqueue.faults.outbox.RoundsDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * The result of rounds in a separate JVM. In each round, an application with an outbox dies at a step.
 *
 * @param broken the broken rules, in their order
 * @param findings the findings
 * @param line the whole result in one line; empty if there is no verdict
 */
public record RoundsRun(List<Rule> broken, List<String> findings, String line) {

    private static final String PREFIX = RoundsCell.NAME + "-";

    /** Returns the names of such runs in a campaign, one per database. */
    public static List<String> names() {
        return Arrays.stream(RoundsDatabase.values())
                .map(database -> PREFIX + database)
                .toList();
    }

    /** Returns the database for one of these names. */
    static RoundsDatabase database(String name) {
        return RoundsDatabase.named(List.of(name.substring(PREFIX.length()))).get(0);
    }

    /** Makes rounds, with the changed library of the folder if it has one. */
    static RoundsRun make(RunFolder folder, RoundsDatabase database, int rounds, Seed seed)
            throws IOException, InterruptedException {
        Path log = folder.log(RoundsCell.NAME);
        try (ApplicationProcess process = ApplicationProcess.start(
                RoundsCell.class,
                folder.classPathBefore() + System.getProperty("java.class.path"),
                log,
                List.of(database.toString(), "" + rounds, "" + seed.value()))) {
            process.awaitEnd();
            return of(Files.readAllLines(log));
        }
    }

    /** Returns the result from the output of the JVM. */
    static RoundsRun of(List<String> lines) {
        return new RoundsRun(
                Stream.of(Rule.values())
                        .filter(rule -> lines.stream().anyMatch(line -> isFinding(line, rule)))
                        .toList(),
                lines.stream()
                        .filter(line -> Stream.of(Rule.values()).anyMatch(rule -> isFinding(line, rule)))
                        .map(String::strip)
                        .toList(),
                lines.stream()
                        .filter(line -> line.startsWith(RoundsCell.NAME))
                        .findFirst()
                        .orElse(""));
    }

    private static boolean isFinding(String line, Rule rule) {
        return line.startsWith("    " + rule + " ");
    }
}
