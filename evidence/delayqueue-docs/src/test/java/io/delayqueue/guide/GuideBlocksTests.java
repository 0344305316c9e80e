// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.WorkingDays;
import io.delayqueue.autoconfigure.DelayQueueAutoConfiguration;
import io.delayqueue.guide.GuideBook.Block;
import java.io.IOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Every block of code in a page of {@link GuideBook} is compiled, loaded or run, here or in tests beside this one. */
class GuideBlocksTests {

    private static final Pattern WHITE_SPACE = Pattern.compile("\\s+");
    private static final Pattern DEPENDENCY = Pattern.compile("(?s)<dependency>(.*?)</dependency>");
    private static final Pattern ELEMENT = Pattern.compile("<(groupId|artifactId|version)>([^<]*)<");

    /** The bean that docs/recipes.md shows, and names in a block of YAML. */
    private static final String WORKING_DAYS = "germany";

    /** The language of a block with the library's messages. */
    private static final String MESSAGE = "text";

    /** The language of a block with a drawing, which cannot be run. */
    private static final String DRAWING = "mermaid";

    static Stream<Block> java() {
        return of("java");
    }

    static Stream<Block> yaml() {
        return of("yaml");
    }

    static Stream<Block> xml() {
        return of("xml");
    }

    static Stream<Block> shell() {
        return of("shell");
    }

    private static Stream<Block> of(String language) {
        return GuideBook.blocks().stream().filter(block -> block.language().equals(language));
    }

    @Test
    void blocksWhenOfAnotherLanguageAreFound() {
        assertThat(GuideBook.blocks())
                .hasSizeGreaterThan(10)
                .allSatisfy(block -> assertThat(block.language())
                        .as("Nothing checks %s", block)
                        .isIn("java", "yaml", "xml", "shell", "json", MESSAGE, DRAWING));
    }

    /** The text before and after a line of three dots are two regions of one file. */
    @ParameterizedTest
    @MethodSource("java")
    void javaWhenInThePageIsARegionOfATestedSource(Block block) {
        List<String> parts = Arrays.stream(block.text().split("(?m)^ *// \\.\\.\\.$"))
                .map(GuideBlocksTests::withoutWhiteSpace)
                .toList();
        assertThat(GuideBook.sources())
                .extracting(GuideBlocksTests::withoutWhiteSpace)
                .as("No source has what is in %s", block)
                .anySatisfy(source -> assertThat(source).contains(parts));
    }

    /** Unknown names, and values that cannot be, keep the application from starting. */
    @ParameterizedTest
    @MethodSource("yaml")
    void yamlWhenInThePageIsReadToItsLastName(Block block) throws IOException {
        Map<String, Object> properties = GuideYaml.properties(block);
        assertThat(properties).isNotEmpty();
        Set<String> known = knownNames();
        assertThat(properties.keySet())
                .filteredOn(name -> !name.startsWith("delayqueue.queues."))
                .allSatisfy(name -> assertThat(known).as("%s", block).contains(name));
        new ApplicationContextRunner()
                .withInitializer(context -> GuideYaml.addTo(context.getEnvironment(), block))
                .withPropertyValues("delayqueue.enabled=false")
                .withBean(WORKING_DAYS, WorkingDays.class, () -> day -> true)
                .withConfiguration(AutoConfigurations.of(DelayQueueAutoConfiguration.class))
                .run(context -> assertThat(context).as("%s", block).hasNotFailed());
    }

    @ParameterizedTest
    @MethodSource("xml")
    void dependenciesWhenInThePageAreThoseOfThisBuild(Block block) {
        String root = GuideBook.read(Path.of("../../pom.xml"));
        String bom = GuideBook.read(Path.of("../../delayqueue-bom/pom.xml"));
        String own = GuideBook.read(Path.of("pom.xml"));
        String version = first(root, "<artifactId>delayqueue-parent</artifactId>\\s*<version>([^<]+)<");
        String springBoot = first(root, "<spring-boot.version>([^<]+)<");
        List<Map<String, String>> dependencies = DEPENDENCY
                .matcher(block.text())
                .results()
                .map(found -> elements(found.group(1)))
                .toList();
        assertThat(dependencies).isNotEmpty().allSatisfy(dependency -> {
            String artifact = dependency.get("artifactId");
            if (dependency.get("groupId").equals("io.delayqueue")) {
                assertThat(artifact.equals("delayqueue-bom") ? "<artifactId>delayqueue-bom<" : bom)
                        .contains("<artifactId>" + artifact + "<");
                assertThat(dependency.getOrDefault("version", version)).isEqualTo(version);
            } else {
                assertThat(own).contains("<artifactId>" + artifact + "<");
                assertThat(dependency).doesNotContainKey("version");
            }
        });
        if (block.text().contains("<parent>")) {
            assertThat(first(block.text(), "spring-boot-starter-parent</artifactId>\\s*<version>([^<]+)<"))
                    .isEqualTo(springBoot);
        }
    }

    /** The calls of curl are made where the application runs. */
    @ParameterizedTest
    @MethodSource("shell")
    void commandsWhenInThePageAreThere(Block block) {
        assertThat(block.commands()).allSatisfy(line -> {
            String command = line.strip().split(" ")[0];
            switch (command) {
                case "mvn" ->
                    assertThat(modulesOf(line))
                            .allSatisfy(module ->
                                    assertThat(Path.of("../..", module)).isDirectory());
                case "git" -> assertThat(line).startsWith("git clone ");
                case "cd" -> {}
                default -> {
                    if (command.startsWith("scripts/")) {
                        assertThat(Path.of("../..", command)).isExecutable();
                    } else if (command.startsWith("rabbitmq")) {
                        assertThat(block.page()).isEqualTo(SwitchOverIntegrationTests.PAGE);
                    } else {
                        assertThat(line).as("%s", block).matches("(\\w+=\\$\\()?curl .*");
                        assertThat(CurlCallsIntegrationTests.PAGES)
                                .as("Its calls are made: %s", block)
                                .contains(block.page());
                    }
                }
            }
        });
    }

    @Test
    void definitionsWhenInAPageAreImported() {
        assertThat(of("json"))
                .isNotEmpty()
                .allSatisfy(block -> assertThat(block.page()).isEqualTo(SwitchOverIntegrationTests.PAGE));
    }

    /** They are provoked where the application runs. */
    @Test
    void messagesWhenInAPageAreCompared() {
        assertThat(of(MESSAGE))
                .isNotEmpty()
                .allSatisfy(block -> assertThat(KitMessagesIntegrationTests.PAGES)
                        .as("%s", block)
                        .contains(block.page()));
    }

    private static List<String> modulesOf(String line) {
        Matcher modules = Pattern.compile(" -pl +(\\S+)").matcher(line);
        return modules.find() ? List.of(modules.group(1).split(",")) : List.of();
    }

    private static Map<String, String> elements(String xml) {
        Map<String, String> elements = new HashMap<>();
        ELEMENT.matcher(xml).results().forEach(element -> elements.put(element.group(1), element.group(2)));
        return elements;
    }

    private static String first(String text, String pattern) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        assertThat(matcher.find()).as(pattern).isTrue();
        return matcher.group(1);
    }

    private static String withoutWhiteSpace(String text) {
        return WHITE_SPACE.matcher(text).replaceAll("");
    }

    /** The names that libraries on the class path say they read. */
    private static Set<String> knownNames() throws IOException {
        Set<String> names = new HashSet<>();
        List<URL> files = new ArrayList<>(Collections.list(
                GuideBlocksTests.class.getClassLoader().getResources("META-INF/spring-configuration-metadata.json")));
        JsonMapper json = new JsonMapper();
        for (URL file : files) {
            try (var in = file.openStream()) {
                JsonNode metadata = json.readTree(new String(in.readAllBytes(), StandardCharsets.UTF_8));
                metadata.get("properties")
                        .values()
                        .forEach(property -> names.add(property.get("name").asString()));
            }
        }
        return names;
    }
}
