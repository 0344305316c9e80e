// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console.browser;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The programs that a browser is made of, as installed on this machine. They are never downloaded, and a test without
 * them fails.
 *
 * @param chromium the browser: what {@code DELAYQUEUE_TEST_CHROMIUM} names, or one on the path
 * @param driver its driver: what {@code DELAYQUEUE_TEST_CHROMEDRIVER} names, or the one on the path
 */
record BrowserPrograms(Path chromium, Path driver) {

    static BrowserPrograms installed() {
        return new BrowserPrograms(
                program(
                        "DELAYQUEUE_TEST_CHROMIUM",
                        List.of("chromium", "chromium-browser", "google-chrome"),
                        "chromium"),
                program("DELAYQUEUE_TEST_CHROMEDRIVER", List.of("chromedriver"), "chromium-driver"));
    }

    private static Path program(String variable, List<String> names, String packaged) {
        String named = System.getenv(variable);
        if (named != null) {
            return executable(Path.of(named))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException(variable + " names no program: " + named));
        }
        return names.stream()
                .flatMap(name -> Stream.of(System.getenv("PATH").split(":"))
                        .flatMap(folder -> executable(Path.of(folder, name))))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("There is no " + names.get(0)
                        + " on the path. Install it (Debian: " + packaged + "), or set " + variable + " to its path"));
    }

    private static Stream<Path> executable(Path program) {
        return Files.isExecutable(program) && Files.isRegularFile(program) ? Stream.of(program) : Stream.empty();
    }
}
