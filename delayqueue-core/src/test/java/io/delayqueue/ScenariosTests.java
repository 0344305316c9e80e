// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Holds the page of scenarios against the tests that it names. */
class ScenariosTests {

    private static final Path ROOT = Path.of("..");

    private static final Pattern NAMED = Pattern.compile("`(\\w+)#(\\w+)`");

    private static final Pattern FAULT_RUN = Pattern.compile("fault run `([a-z0-9-]+)`");

    private static final String NOT_OFFERED = "Not offered: ";

    private static final Set<String> PROJECTS = Set.of(
            "all seven",
            "Redisson",
            "asynq",
            "BullMQ",
            "db-scheduler",
            "Rqueue",
            "delayed plugin",
            "HDT3213/delayqueue");

    @Test
    void everyTestThatThePageNamesExists() throws IOException {
        Map<String, String> tests = tests();
        List<String> missing = NAMED.matcher(page())
                .results()
                .filter(named -> !tests.getOrDefault(named.group(1), "").contains("void " + named.group(2) + "("))
                .map(named -> named.group(1) + "#" + named.group(2))
                .toList();
        assertThat(missing).isEmpty();
    }

    @Test
    void everyFaultRunThatThePageNamesIsListed() throws IOException {
        String runs = Files.readString(ROOT.resolve("evidence/docs/fault-runs.md"));
        assertThat(FAULT_RUN.matcher(page()).results().map(run -> run.group(1)))
                .isNotEmpty()
                .allSatisfy(run -> assertThat(runs).contains("| `" + run + "` |"));
    }

    @Test
    void everyRowNamesATestOrSaysWhyThereIsNone() throws IOException {
        List<String[]> rows = page().lines()
                .filter(line -> line.startsWith("| ") && !line.startsWith("| what |") && !line.startsWith("| --- |"))
                .map(line -> line.substring(2, line.length() - 2).split(" \\| "))
                .toList();
        assertThat(rows).hasSizeGreaterThan(150).allSatisfy(row -> {
            assertThat(row).hasSize(3);
            assertThat(PROJECTS).contains(row[1].split(", "));
            boolean shown =
                    NAMED.matcher(row[2]).find() || FAULT_RUN.matcher(row[2]).find();
            boolean notOffered = row[2].startsWith(NOT_OFFERED) && row[2].length() > NOT_OFFERED.length() + 10;
            assertThat(shown ^ notOffered).as(row[0]).isTrue();
        });
    }

    private static String page() throws IOException {
        return Files.readString(ROOT.resolve("evidence/docs/scenarios.md"));
    }

    /** Returns the contents of all test classes by name; two modules may use the same name. */
    private static Map<String, String> tests() throws IOException {
        Map<String, String> tests = new HashMap<>();
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                String name = String.valueOf(folder.getFileName());
                boolean other = name.equals("target") || name.equals(".git") || folder.endsWith("src/main");
                return other ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                String name = String.valueOf(file.getFileName());
                if (name.endsWith(".java")) {
                    tests.merge(name.replace(".java", ""), Files.readString(file), String::concat);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return tests;
    }
}
