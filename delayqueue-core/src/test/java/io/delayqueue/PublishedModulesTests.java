// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Holds what names the published modules against the modules that are published. */
class PublishedModulesTests {

    private static final Path ROOT = Path.of("..");

    private static final Pattern MODULE = Pattern.compile("<module>(delayqueue-[a-z-]+)</module>");

    private static final Pattern ARTIFACT = Pattern.compile("<artifactId>(delayqueue-[a-z-]+)</artifactId>");

    @Test
    void billOfMaterialsHasEveryPublishedModuleAndNoOther() throws IOException {
        String bom = Files.readString(ROOT.resolve("delayqueue-bom/pom.xml"));
        String managed = bom.substring(bom.indexOf("<dependencyManagement>"));
        assertThat(names(ARTIFACT, managed)).containsExactlyInAnyOrderElementsOf(publishedJars());
    }

    @Test
    void scriptsThatLookAtPublishedModulesLookAtAllOfThem() throws IOException {
        for (String script : List.of("check-api", "check-dependencies")) {
            String published = lineWith("published=", ROOT.resolve("scripts").resolve(script));
            assertThat(published.substring("published=".length()).split(","))
                    .as(script)
                    .containsExactlyInAnyOrderElementsOf(publishedJars());
        }
    }

    private static Set<String> publishedJars() throws IOException {
        Set<String> published = new TreeSet<>();
        for (String module : names(MODULE, Files.readString(ROOT.resolve("pom.xml")))) {
            String pom = Files.readString(ROOT.resolve(module).resolve("pom.xml"));
            if (!pom.contains("<maven.deploy.skip>true<") && !pom.contains("<packaging>pom<")) {
                published.add(module);
            }
        }
        assertThat(published).contains("delayqueue-core").doesNotContain("delayqueue-sample-app");
        return published;
    }

    private static List<String> names(Pattern pattern, String text) {
        List<String> names = new ArrayList<>();
        for (Matcher matcher = pattern.matcher(text); matcher.find(); ) {
            names.add(matcher.group(1));
        }
        return names;
    }

    private static String lineWith(String start, Path file) throws IOException {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.filter(line -> line.startsWith(start)).findFirst().orElseThrow();
        }
    }
}
