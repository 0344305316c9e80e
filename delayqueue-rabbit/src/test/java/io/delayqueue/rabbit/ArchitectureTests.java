// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import io.delayqueue.ModuleRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ArchitectureTests extends ModuleRules {

    private static final String ROOT = "io.delayqueue.";

    private static final JavaClasses MODULE = classesOf(ROOT + "rabbit", ROOT + "internal.rabbit");

    /** A row of the table of packages: name, what is in it, what it uses. */
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([a-z.]+)` \\| .* \\| ?([a-z., ]*?) ?\\|$");

    ArchitectureTests() {
        super(MODULE);
    }

    @Test
    void packagesUseWhatTheirTableInTheDocsSays() throws IOException {
        Map<String, Set<String>> drawn = new TreeMap<>();
        String map = Files.readString(Path.of("../docs/design/architecture.md"));
        Matcher row = ROW.matcher(
                map.substring(map.indexOf("## Packages of RabbitMQ"), map.indexOf("## Scanning and ownership")));
        while (row.find()) {
            drawn.put(
                    row.group(1),
                    row.group(2).isEmpty()
                            ? Set.of()
                            : new TreeSet<>(List.of(row.group(2).split(", "))));
        }

        Map<String, Set<String>> real = new TreeMap<>();
        for (JavaClass each : MODULE) {
            Set<String> used = real.computeIfAbsent(nameOf(each), name -> new TreeSet<>());
            each.getDirectDependenciesFromSelf().stream()
                    .map(Dependency::getTargetClass)
                    .map(ArchitectureTests::nameOf)
                    .filter(name -> name.matches("rabbit|internal\\.rabbit\\..*") && !name.equals(nameOf(each)))
                    .forEach(used::add);
        }
        assertThat(real).isEqualTo(drawn);
    }

    private static String nameOf(JavaClass type) {
        String name = type.getPackageName();
        return name.startsWith(ROOT) ? name.substring(ROOT.length()) : name;
    }

    @Test
    void internalPackagesWhenTheyUseEachOtherFormNoCycle() {
        slices().matching("io.delayqueue.internal.rabbit.(*)..")
                .should()
                .beFreeOfCycles()
                .check(MODULE);
    }

    @Test
    void moduleWhenUsedNeedsNeitherTheStarterNorADriverOfRedis() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.delayqueue.autoconfigure..",
                        "io.delayqueue.internal.redis..",
                        "io.lettuce..",
                        "org.springframework.data.redis..")
                .check(MODULE);
    }
}
