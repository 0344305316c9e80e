// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** Editors and docs/configuration.md explain each property in the same words. */
class PropertyDescriptionTests {

    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([a-z.-]+)` \\| [^|]+ \\| (.+) \\|$");
    private static final String LINK = "\\[[^\\]]*]\\([^)]*\\)";

    @Test
    void propertyWhenOnThePageHasTheSameDescriptionThere() throws IOException {
        Map<String, String> described = descriptions();
        Map<String, String> rows = new TreeMap<>();
        Matcher row = ROW.matcher(Files.readString(Path.of("../../docs/configuration.md")));
        while (row.find()) {
            String name = row.group(1);
            // Spring describes the properties of an endpoint.
            if (!name.startsWith("management.")) {
                rows.put(name.startsWith("delayqueue.") ? name : "delayqueue.defaults." + name, row.group(2));
            }
        }
        rows.keySet().retainAll(described.keySet());

        assertThat(rows).hasSizeGreaterThan(60);
        rows.forEach(
                (name, text) -> assertThat(plain(described.get(name))).as(name).isEqualTo(withoutLinks(text)));
    }

    private static Map<String, String> descriptions() throws IOException {
        Map<String, String> descriptions = new TreeMap<>();
        for (URL metadata : Collections.list(PropertyDescriptionTests.class
                .getClassLoader()
                .getResources("META-INF/spring-configuration-metadata.json"))) {
            try (InputStream in = metadata.openStream()) {
                JsonMapper.shared()
                        .readTree(in)
                        .get("properties")
                        .forEach(property -> descriptions.put(
                                property.get("name").asString(),
                                property.path("description").asString("")));
            }
        }
        return descriptions;
    }

    /** Omits the default, which has its own column on the page. */
    private static String plain(String description) {
        return words(description.replaceAll(" Default: .*", ""));
    }

    /** Omits references to other pages, and keeps the text of other links. */
    private static String withoutLinks(String text) {
        return words(text.replaceAll("\\s*See " + LINK + "( too)?\\.", "")
                .replaceAll("[;,] see " + LINK, "")
                .replaceAll(", as in " + LINK, "")
                .replaceAll(": " + LINK + "(?=\\.|$)", "")
                .replaceAll("\\[([^\\]]*)]\\([^)]*\\)", "$1"));
    }

    private static String words(String text) {
        return text.replaceAll("[`'\"<>]", "").strip().replaceAll("\\.$", "");
    }
}
