// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.delayqueue.DelayQueueException;
import org.junit.jupiter.api.Test;

class ArchitectureTests {

    private static final JavaClasses MODULE = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.delayqueue.jdbc", "io.delayqueue.internal.jdbc");

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
