// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The commands in the folder {@code scripts}, as used by a newcomer. */
class ScriptsIntegrationTests {

    private static final Path SCRIPTS = Path.of("..", "scripts");

    static List<String> scripts() throws IOException {
        try (Stream<Path> files = Files.list(SCRIPTS)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> file.getFileName().toString())
                    .sorted()
                    .toList();
        }
    }

    @Test
    void thereAreFew() throws IOException {
        assertThat(scripts()).isNotEmpty().hasSizeLessThanOrEqualTo(15);
    }

    @ParameterizedTest
    @MethodSource("scripts")
    void helpIsThereAtOnceAndNamesTheOptions(String script) throws Exception {
        Process process = run(script, "--help");
        assertThat(process.inputReader().lines().toList()).anyMatch(line -> line.contains("scripts/" + script));
        assertThat(process.waitFor()).isZero();
    }

    @ParameterizedTest
    @MethodSource("scripts")
    void unknownOptionIsRefusedAtOnce(String script) throws Exception {
        Process process = run(script, "--no-such-option");
        assertThat(process.errorReader().lines().toList())
                .singleElement()
                .asString()
                .contains(script + ": ", "--no-such-option");
        assertThat(process.waitFor()).isEqualTo(2);
    }

    private static Process run(String script, String option) throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(SCRIPTS.resolve(script).toAbsolutePath().toString(), option).start();
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
        return process;
    }
}
