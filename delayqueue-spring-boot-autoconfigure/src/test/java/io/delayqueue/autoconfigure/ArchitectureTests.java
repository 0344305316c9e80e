// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.properties.CanBeAnnotated.Predicates.annotatedWith;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.delayqueue.DelayQueueException;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfiguration;

class ArchitectureTests {

    private static final JavaClasses MODULE = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.delayqueue.autoconfigure", "io.delayqueue.internal.autoconfigure");

    @Test
    void internalPackagesWhenTheyUseEachOtherFormNoCycle() {
        slices().matching("io.delayqueue.internal.autoconfigure.(**)")
                .should()
                .beFreeOfCycles()
                .check(MODULE);
    }

    /** But for telling a user which auto-configuration is missing. */
    @Test
    void internalPackagesKnowNoAutoConfiguration() {
        noClasses()
                .that()
                .resideInAPackage("io.delayqueue.internal.autoconfigure..")
                .and()
                .haveSimpleNameNotStartingWith("MissingRabbit")
                .should()
                .dependOnClassesThat(resideInAPackage("io.delayqueue..").and(annotatedWith(AutoConfiguration.class)))
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
