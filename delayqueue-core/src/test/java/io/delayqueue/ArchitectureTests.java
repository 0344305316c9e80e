// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
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
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.core.ParameterizedTypeReference;

class ArchitectureTests extends ModuleRules {

    private static final JavaClasses CORE = classesOf("io.delayqueue");

    private static final String ROOT = "io.delayqueue";

    /** A row of the table of packages: name, what is in it, what it uses. */
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([a-z.]+)` \\| .* \\| ?([a-z., ]*?) ?\\|$");

    ArchitectureTests() {
        super(CORE);
    }

    @Test
    void packagesUseWhatTheirTableInTheDocsSays() throws IOException {
        Map<String, Set<String>> drawn = new TreeMap<>();
        String map = Files.readString(Path.of("../docs/design/architecture.md"));
        Matcher row = ROW.matcher(
                map.substring(map.indexOf("## Packages of the core"), map.indexOf("## Packages of RabbitMQ")));
        while (row.find()) {
            drawn.put(
                    row.group(1),
                    row.group(2).isEmpty()
                            ? Set.of()
                            : new TreeSet<>(List.of(row.group(2).split(", "))));
        }

        Map<String, Set<String>> real = new TreeMap<>();
        for (JavaClass each : CORE) {
            Set<String> used = real.computeIfAbsent(nameOf(each), name -> new TreeSet<>());
            each.getDirectDependenciesFromSelf().stream()
                    .map(Dependency::getTargetClass)
                    .filter(target -> target.getPackageName().startsWith(ROOT))
                    .map(ArchitectureTests::nameOf)
                    .filter(name -> !name.equals(nameOf(each)))
                    .forEach(used::add);
        }
        assertThat(real).isEqualTo(drawn);
    }

    private static String nameOf(JavaClass type) {
        String name = type.getPackageName();
        return name.equals(ROOT) ? "root" : name.substring(ROOT.length() + 1);
    }

    @Test
    void packagesWhenTheyDependOnEachOtherFormNoCycle() {
        slices().assignedFrom(new SliceAssignment() {
                    @Override
                    public String getDescription() {
                        return "packages";
                    }

                    @Override
                    public SliceIdentifier getIdentifierOf(JavaClass type) {
                        return SliceIdentifier.of(type.getPackageName());
                    }
                })
                .should()
                .beFreeOfCycles()
                .check(CORE);
    }

    @Test
    void apiWhenSeenByUsersShowsNeitherDriverNorFramework() {
        noClasses()
                .that()
                .resideInAPackage("io.delayqueue")
                .should()
                .dependOnClassesThat(resideInAnyPackage("org.springframework..", "io.lettuce..", "io.delayqueue.*..")
                        .and(not(type(ParameterizedTypeReference.class))))
                .check(CORE);
    }

    @Test
    void driverWhenUsedIsUsedByTheRedisPackageOnly() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.delayqueue.internal.redis..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.lettuce..", "org.springframework.data.redis..")
                .check(CORE);
    }

    @Test
    void everyPackageIsNullMarked() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
            List<Path> packages = files.filter(Files::isDirectory)
                    .filter(ArchitectureTests::holdsClasses)
                    .toList();
            assertThat(packages)
                    .hasSizeGreaterThan(5)
                    .allSatisfy(dir -> assertThat(dir.resolve("package-info.java"))
                            .content()
                            .contains("@NullMarked"));
        }
    }

    private static boolean holdsClasses(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.anyMatch(file -> file.toString().endsWith(".java"));
        } catch (IOException ex) {
            throw new java.io.UncheckedIOException(ex);
        }
    }
}
