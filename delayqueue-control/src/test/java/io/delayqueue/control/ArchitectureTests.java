// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.control;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.delayqueue.DelayQueueException;
import org.junit.jupiter.api.Test;

class ArchitectureTests {

    private static final JavaClasses MODULE = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.delayqueue.control", "io.delayqueue.internal.control");

    /** The module calls the public API and the store, however the application reaches Redis and its broker. */
    @Test
    void moduleWhenUsedNeedsNeitherTheStarterNorADriver() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.delayqueue.autoconfigure..",
                        "io.delayqueue.internal.autoconfigure..",
                        "io.delayqueue.client..",
                        "io.delayqueue.internal.redis..",
                        "io.delayqueue.rabbit..",
                        "io.lettuce..",
                        "org.springframework..")
                .check(MODULE);
    }

    @Test
    void exceptionsWhenThrownHaveOneRoot() {
        classes()
                .that()
                .areAssignableTo(RuntimeException.class)
                .should()
                .beAssignableTo(DelayQueueException.class)
                .check(MODULE);
    }

    @Test
    void namesSayWhatAClassDoes() {
        noClasses()
                .should()
                .haveNameMatching(".*(Manager|Helper|Impl|Utils?|Constants|Common)(\\$.*)?")
                .check(MODULE);
    }
}
