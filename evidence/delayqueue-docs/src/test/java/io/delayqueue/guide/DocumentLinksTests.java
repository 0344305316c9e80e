// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Follows every link of the pages within the repository, to the heading that it names, by GitHub's rules. Links to
 * other hosts are not followed.
 */
class DocumentLinksTests {

    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
    private static final Set<String> FOREIGN = Set.of("target", "node_modules", ".git");
    private static final Pattern FENCED = Pattern.compile("(?ms)^ *(```+)[^`\n]*\n.*?^ *\\1 *$");
    private static final Pattern CODE = Pattern.compile("`[^`\n]*`");
    private static final Pattern LINK = Pattern.compile("\\]\\(\\s*([^)\\s]+)\\s*\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.+?)#* *$");
    private static final Pattern TEXT_OF_A_LINK = Pattern.compile("!?\\[([^\\]]*)\\]\\([^)]*\\)");
    private static final Pattern PAGE_NAMED_IN_CODE =
            Pattern.compile("\\b(?:evidence/)?docs/[\\w/-]+\\.md(?:#[\\w-]+)?");

    private final Map<Path, Set<String>> anchorsOf = new HashMap<>();

    @Test
    void linksWhenTheyStayInTheRepositoryLeadSomewhere() throws IOException {
        List<String> dead = new ArrayList<>();
        List<Path> pages = files(name -> name.endsWith(".md"));
        for (Path page : pages) {
            String text = CODE.matcher(FENCED.matcher(Files.readString(page)).replaceAll(""))
                    .replaceAll("code");
            LINK.matcher(text)
                    .results()
                    .map(link -> link.group(1))
                    .filter(target -> !target.contains("://") && !target.startsWith("mailto:"))
                    .filter(target -> !leadsSomewhere(page, target))
                    .forEach(target -> dead.add(ROOT.relativize(page) + ": " + target));
        }
        assertThat(pages).hasSizeGreaterThan(30);
        assertThat(dead).isEmpty();
    }

    /** As messages do, and comments that send a reader to a page. */
    @Test
    void pagesWhenNamedInCodeAreThere() throws IOException {
        List<String> dead = new ArrayList<>();
        List<Path> sources = files(name -> name.matches(".*\\.(java|lua|sh|xml|yml|yaml|properties|json)")
                || name.matches("[a-z-]+")); // scripts have no ending
        for (Path source : sources) {
            if (ROOT.relativize(source).toString().contains("src/test/")) {
                continue; // tests also name pages that exist only for them
            }
            PAGE_NAMED_IN_CODE
                    .matcher(Files.readString(source, ISO_8859_1))
                    .results()
                    .map(found -> found.group())
                    .filter(target -> !leadsSomewhere(ROOT.resolve("README.md"), target))
                    .forEach(target -> dead.add(ROOT.relativize(source) + ": " + target));
        }
        assertThat(sources).hasSizeGreaterThan(500);
        assertThat(dead).isEmpty();
    }

    @Test
    void anchorsWhenHeadingsHaveCodeLinksAndSignsAreAsGitHubMakesThem() {
        assertThat(anchors("# What's `a.b`?\n## [Home](x.md), sweet home\n## Twice\n## Twice\n```\n# none\n```\n"))
                .containsExactlyInAnyOrder("whats-ab", "home-sweet-home", "twice", "twice-1");
    }

    /** The rest is in the pages that it links to. */
    @Test
    void readmeWhenReadHasAtMost900WordsBesideItsCode() throws IOException {
        String prose =
                FENCED.matcher(Files.readString(ROOT.resolve("README.md"))).replaceAll("");
        assertThat(prose.strip().split("\\s+")).hasSizeLessThanOrEqualTo(900);
    }

    private boolean leadsSomewhere(Path page, String target) {
        String[] parts = target.split("#", 2);
        Path to = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
        if (!to.startsWith(ROOT) || !Files.exists(to)) {
            return false;
        }
        return parts.length == 1
                || anchorsOf.computeIfAbsent(to, DocumentLinksTests::anchorsIn).contains(parts[1]);
    }

    private static Set<String> anchorsIn(Path page) {
        try {
            return anchors(Files.readString(page));
        } catch (IOException unreadable) {
            return Set.of();
        }
    }

    private static Set<String> anchors(String page) {
        Set<String> anchors = new HashSet<>();
        HEADING.matcher(FENCED.matcher(page).replaceAll("")).results().forEach(heading -> {
            String anchor = TEXT_OF_A_LINK
                    .matcher(heading.group(1).trim())
                    .replaceAll("$1")
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{N} _-]", "")
                    .replace(' ', '-');
            String unique = anchor;
            for (int n = 1; !anchors.add(unique); n++) {
                unique = anchor + "-" + n;
            }
        });
        return anchors;
    }

    private static List<Path> files(Predicate<String> name) throws IOException {
        List<Path> found = new ArrayList<>();
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return FOREIGN.contains(folder.getFileName().toString())
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (name.test(file.getFileName().toString())) {
                    found.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return found;
    }
}
