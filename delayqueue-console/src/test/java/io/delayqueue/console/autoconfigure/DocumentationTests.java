// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The lists in the pages about the console, and the allowed contents of its files. */
class DocumentationTests {

    private static final Path ASSETS = Path.of("src/main/resources/io/delayqueue/console");

    @Test
    void propertiesWhenThereAreListed() throws IOException {
        String page = Files.readString(Path.of("../docs/configuration.md"));
        assertThat(Pattern.compile("\\| `delayqueue\\.console\\.([a-z-]+)` \\|")
                        .matcher(page)
                        .results()
                        .map(found -> found.group(1)))
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(
                                DelayQueueConsoleProperties.class.getRecordComponents())
                        .map(component ->
                                component.getName().replaceAll("([A-Z])", "-$1").toLowerCase())
                        .toList());
    }

    /** The policy of the pages allows none of it. */
    @Test
    void templatesHaveNoScriptsStylesOrOtherHosts() throws IOException {
        try (Stream<Path> files = Files.walk(ASSETS)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String text = Files.readString(file).replace("http://www.w3.org/2000/svg", "");
                assertThat(text).as("%s", file).doesNotContain("http://", "https://", "eval(", "document.cookie");
                if (file.toString().endsWith(".mustache")) {
                    assertThat(text)
                            .as("%s", file)
                            .doesNotContain("style=", "onclick", "onload", "<style", "javascript:");
                    assertThat(text.replaceAll("\\{\\{\\{(body|head)}}}", ""))
                            .as("%s", file)
                            .doesNotContain("{{{", "{{&");
                }
            }
        }
    }
}
