// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.sample;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Users' examples, this application and the Java in the docs, do without the library's internal packages. */
class PublicApiTests {

    private static final String INTERNAL = "io.delayqueue.internal";
    private static final Path ROOT = Path.of("..");
    private static final Pattern JAVA_BLOCK = Pattern.compile("(?ms)^```java\n(.*?)^```");
    private static final Pattern COMMENT_OR_TEXT = Pattern.compile("//.*|\"[^\"]*\"");
    private static final Pattern TYPE = Pattern.compile("\\b[A-Z]\\w+");

    @Test
    void theApplicationUsesNoInternalClass() throws URISyntaxException {
        List<String> used = classesUsedBy(Path.of(ShopApplication.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI()));
        assertThat(used).contains("io.delayqueue.jdbc.DelayQueueInbox").noneMatch(name -> name.startsWith(INTERNAL));
    }

    @Test
    void theJavaInTheDocsNamesNoInternalClass() throws IOException {
        Set<String> internal = internalClasses();
        assertThat(internal).contains("TaskStore", "Engine");
        List<String> blocks = javaInTheDocs();
        assertThat(blocks).hasSizeGreaterThan(10);
        assertThat(blocks).allSatisfy(block -> {
            assertThat(block).doesNotContain(INTERNAL);
            String code = COMMENT_OR_TEXT.matcher(block).replaceAll("");
            assertThat(TYPE.matcher(code).results().map(type -> type.group()))
                    .as(block)
                    .doesNotContainAnyElementsOf(internal);
        });
    }

    /** Design pages may name internal classes. */
    @Test
    void thePagesForUsersNameNoInternalClass() throws IOException {
        try (Stream<Path> pages = Files.list(ROOT.resolve("docs"))) {
            assertThat(pages.filter(page -> page.toString().endsWith(".md")))
                    .hasSizeGreaterThan(5)
                    .allSatisfy(page -> assertThat(page).content().doesNotContain(INTERNAL));
        }
    }

    /** The names of all classes that those in a folder refer to, in byte code, signatures and annotations. */
    private static List<String> classesUsedBy(Path classes) {
        StringWriter out = new StringWriter();
        PrintWriter printer = new PrintWriter(out);
        int code = ToolProvider.findFirst("jdeps")
                .orElseThrow()
                .run(printer, printer, "-verbose:class", "-filter:none", classes.toString());
        assertThat(code).as(out.toString()).isZero();
        return out.toString()
                .lines()
                .filter(line -> line.contains("->"))
                .map(line -> line.substring(line.indexOf("->") + 2).trim().split(" ")[0])
                .distinct()
                .toList();
    }

    private static Set<String> internalClasses() throws IOException {
        try (Stream<Path> modules = Files.list(ROOT)) {
            List<Path> packages = modules.map(module -> module.resolve("src/main/java/io/delayqueue/internal"))
                    .filter(Files::isDirectory)
                    .toList();
            List<Path> sources = new ArrayList<>();
            for (Path each : packages) {
                try (Stream<Path> files = Files.walk(each)) {
                    files.filter(Files::isRegularFile).forEach(sources::add);
                }
            }
            return sources.stream()
                    .map(source -> source.getFileName().toString().replace(".java", ""))
                    .filter(name -> !name.equals("package-info"))
                    .collect(Collectors.toSet());
        }
    }

    private static List<String> javaInTheDocs() throws IOException {
        List<Path> pages = new ArrayList<>(List.of(ROOT.resolve("README.md")));
        try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            docs.filter(page -> page.toString().endsWith(".md")).forEach(pages::add);
        }
        List<String> blocks = new ArrayList<>();
        for (Path page : pages) {
            JAVA_BLOCK.matcher(Files.readString(page)).results().forEach(block -> blocks.add(block.group(1)));
        }
        return blocks;
    }
}
