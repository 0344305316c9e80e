// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ArchitectureTests {

    private static final JavaClasses CORE = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.delayqueue");

    @Test
    void packagesWhenTheyDependOnEachOtherFormNoCycle() {
        slices().matching("io.delayqueue.(*)..").should().beFreeOfCycles().check(CORE);
    }

    @Test
    void arrowsBetweenPackagesRunOneWay() {
        layeredArchitecture()
                .consideringOnlyDependenciesInLayers()
                .layer("api")
                .definedBy("io.delayqueue")
                .layer("codec")
                .definedBy("io.delayqueue.codec")
                .layer("queue")
                .definedBy("io.delayqueue.queue")
                .layer("store")
                .definedBy("io.delayqueue.store")
                .layer("redis")
                .definedBy("io.delayqueue.redis")
                .layer("engine")
                .definedBy("io.delayqueue.engine")
                .layer("trigger")
                .definedBy("io.delayqueue.trigger")
                .layer("client")
                .definedBy("io.delayqueue.client")
                .whereLayer("trigger")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("client")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("redis")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("engine")
                .mayOnlyBeAccessedByLayers("trigger")
                .whereLayer("store")
                .mayOnlyBeAccessedByLayers("redis", "engine", "trigger", "client")
                .whereLayer("queue")
                .mayOnlyBeAccessedByLayers("redis", "engine", "trigger", "client")
                .whereLayer("codec")
                .mayOnlyBeAccessedByLayers("queue", "client")
                .check(CORE);
    }

    @Test
    void apiWhenSeenByUsersShowsNeitherDriverNorFramework() {
        noClasses()
                .that()
                .resideInAPackage("io.delayqueue")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.springframework..", "io.lettuce..", "io.delayqueue.*..")
                .check(CORE);
    }

    @Test
    void driverWhenUsedIsUsedByTheRedisPackageOnly() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.delayqueue.redis..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.lettuce..", "org.springframework.data.redis..")
                .check(CORE);
    }

    @Test
    void namesSayWhatAClassDoes() {
        noClasses()
                .should()
                .haveNameMatching(".*(Manager|Helper|Impl|Utils?|Constants|Common)(\\$.*)?")
                .check(CORE);
    }

    @Test
    void exceptionsWhenThrownHaveOneRoot() {
        classes()
                .that()
                .areAssignableTo(RuntimeException.class)
                .should()
                .beAssignableTo(DelayQueueException.class)
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
