// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The lists in the page about transactions. */
class DocumentationTests {

    private static final Path PAGE = Path.of("../docs/transactions.md");
    private static final Path SCRIPT = Path.of("src/main/resources/io/delayqueue/jdbc/schema-h2.sql");

    @Test
    void tablesWhenTheScriptMakesThemAreListed() throws IOException {
        List<String> listed = found(PAGE, "(?m)^\\| `(delayqueue_\\w+)` \\|");
        assertThat(listed).containsExactlyInAnyOrderElementsOf(found(SCRIPT, "CREATE TABLE IF NOT EXISTS (\\w+)"));
    }

    @Test
    void callsWhenListedAreListedOnce() throws IOException {
        List<String> rows = found(PAGE, "(?m)^\\| (`(?:schedule|cancel|reschedule|update|find)[^|]*) \\|");
        assertThat(String.join(", ", rows).split(", ")).hasSizeGreaterThan(7).doesNotHaveDuplicates();
    }

    private static List<String> found(Path file, String pattern) throws IOException {
        return Pattern.compile(pattern)
                .matcher(Files.readString(file))
                .results()
                .map((MatchResult match) -> match.group(1))
                .toList();
    }
}
