// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The pages whose code is checked, their blocks of code, and the sources that these are taken from. */
final class GuideBook {

    static final Path GUIDE = Path.of("../../docs/guide");

    /** Pages outside the guide whose blocks are all checked. */
    private static final List<Path> OTHERS =
            pages("README.md", "docs/console.md", "docs/recipes.md", "docs/testing.md", "docs/transactions.md");

    /** Pages that also contain commands for a server; only their Java is checked. */
    private static final List<Path> OTHERS_JAVA = pages(
            "docs/configuration.md",
            "docs/handlers.md",
            "docs/operations.md",
            "docs/rabbitmq.md",
            "docs/security.md",
            "docs/servers.md");

    private static final List<Path> SOURCES =
            List.of(Path.of("src/test/java/com/example"), Path.of("src/test/java/io/delayqueue/guide"));
    private static final Pattern BLOCK = Pattern.compile("(?ms)^ *```(\\S*)\n(.*?)^ *```$");

    private GuideBook() {}

    /**
     * A fenced block.
     *
     * @param page the name of its file
     * @param line line of its fence, from 1
     * @param language what the fence says
     * @param text what is between the fences
     */
    record Block(String page, int line, String language, String text) {

        /** Its lines, those joined that a backslash continues. */
        List<String> commands() {
            return text.replaceAll("\\\\\n", "").lines().toList();
        }

        @Override
        public String toString() {
            return page + ":" + line + " (" + language + ")\n" + text;
        }
    }

    /** The blocks of all pages, page after page. */
    static List<Block> blocks() {
        Stream<Block> whole =
                Stream.concat(OTHERS.stream(), files(GUIDE, ".md")).flatMap(page -> blocksOf(page).stream());
        Stream<Block> java = OTHERS_JAVA.stream()
                .flatMap(page -> blocksOf(page).stream())
                .filter(block -> block.language().equals("java"));
        return Stream.concat(whole, java).toList();
    }

    /** The blocks of one page, a path from the guide's folder, in one language, in their order. */
    static List<Block> blocks(String page, String language) {
        return blocksOf(GUIDE.resolve(page)).stream()
                .filter(block -> block.language().equals(language))
                .toList();
    }

    /** The Java that is compiled and run, without what the pages leave out: one text for each file. */
    static List<String> sources() {
        return SOURCES.stream()
                .flatMap(folder -> files(folder, ".java"))
                .map(file -> read(file)
                        .lines()
                        .filter(line -> !line.contains("SPDX") && !line.contains("GuidePages"))
                        .collect(Collectors.joining("\n")))
                .toList();
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    private static List<Path> pages(String... names) {
        return Arrays.stream(names).map(name -> Path.of("../..", name)).toList();
    }

    private static List<Block> blocksOf(Path page) {
        String text = read(page);
        List<Block> blocks = new ArrayList<>();
        Matcher block = BLOCK.matcher(text);
        while (block.find()) {
            int line = (int) text.substring(0, block.start()).lines().count() + 1;
            blocks.add(new Block(page.getFileName().toString(), line, block.group(1), block.group(2)));
        }
        return blocks;
    }

    private static Stream<Path> files(Path folder, String ending) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(ending)).sorted().toList().stream();
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }
}
