// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.guide.GuideBook.Block;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The typical programs of docs/guide/programs.md stay short. {@link GuideBlocksTests} compares them with compiled
 * sources.
 */
class ProgramsTests {

    private static final int MOST_LINES = 15;
    private static final int MOST_TYPES = 4;
    private static final Path SOURCES = Path.of("src/test/java/com/example/programs");
    private static final Pattern TYPE = Pattern.compile("\\b(?:class|record) (\\w+)");
    private static final Pattern IMPORT =
            Pattern.compile("(?m)^import (?:static )?io\\.delayqueue\\.[\\w.]*?([A-Z]\\w*)");

    static Stream<Block> programs() {
        return GuideBook.blocks("programs.md", "java").stream();
    }

    @Test
    void programsWhenCountedAreTen() {
        assertThat(programs()).hasSize(10);
    }

    @Test
    void readmeWhenReadLeadsWithTheFirstProgram() {
        assertThat(GuideBook.blocks("../../README.md", "java").get(0).text())
                .endsWith(programs().findFirst().orElseThrow().text());
    }

    @ParameterizedTest
    @MethodSource("programs")
    void programWhenCountedHasFewLines(Block program) {
        assertThat(program.text().lines().filter(line -> !line.isBlank()))
                .as("%s", program)
                .hasSizeLessThanOrEqualTo(MOST_LINES);
        assertThat(program.text().lines()).allMatch(line -> line.length() <= 120);
    }

    @ParameterizedTest
    @MethodSource("programs")
    void programWhenCountedNamesFewTypesOfTheLibrary(Block program) {
        Matcher name = TYPE.matcher(program.text());
        assertThat(name.find()).isTrue();
        String source = GuideBook.read(SOURCES.resolve(name.group(1) + ".java"));
        Set<String> types = new TreeSet<>();
        IMPORT.matcher(source).results().forEach(type -> types.add(type.group(1)));

        assertThat(types).as(name.group(1)).isNotEmpty().hasSizeLessThanOrEqualTo(MOST_TYPES);
    }
}
