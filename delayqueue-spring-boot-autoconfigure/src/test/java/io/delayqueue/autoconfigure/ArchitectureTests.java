// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.properties.CanBeAnnotated.Predicates.annotatedWith;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import io.delayqueue.ModuleRules;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfiguration;

class ArchitectureTests extends ModuleRules {

    private static final JavaClasses MODULE =
            classesOf("io.delayqueue.autoconfigure", "io.delayqueue.internal.autoconfigure");

    ArchitectureTests() {
        super(MODULE);
    }

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
}
