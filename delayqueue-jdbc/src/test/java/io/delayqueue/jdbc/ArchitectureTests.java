// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import io.delayqueue.ModuleRules;
import org.junit.jupiter.api.Test;

class ArchitectureTests extends ModuleRules {

    private static final JavaClasses MODULE = classesOf("io.delayqueue.jdbc", "io.delayqueue.internal.jdbc");

    ArchitectureTests() {
        super(MODULE);
    }

    @Test
    void roomsWhenTheyUseEachOtherFormNoCircle() {
        slices().matching("io.delayqueue.internal.jdbc.(*)..")
                .should()
                .beFreeOfCycles()
                .check(MODULE);
    }

    /** The relay works over the tables; what writes into them knows nothing of it. */
    @Test
    void tablesWhenTheyAreWrittenKnowNothingOfTheRelay() {
        noClasses()
                .that()
                .resideInAPackage("io.delayqueue.internal.jdbc.outbox")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.delayqueue.internal.jdbc.relay")
                .check(MODULE);
    }

    @Test
    void moduleWhenUsedNeedsNoDriver() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.delayqueue.rabbit..", "io.lettuce..", "org.postgresql..", "org.mariadb..", "org.h2..")
                .check(MODULE);
    }
}
