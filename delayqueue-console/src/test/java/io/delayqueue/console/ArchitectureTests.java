// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import io.delayqueue.ModuleRules;
import org.junit.jupiter.api.Test;

class ArchitectureTests extends ModuleRules {

    private static final JavaClasses MODULE = classesOf("io.delayqueue.console", "io.delayqueue.internal.console");

    ArchitectureTests() {
        super(MODULE);
    }

    @Test
    void roomsWhenTheyUseEachOtherFormNoCircle() {
        slices().matching("io.delayqueue.internal.(**)")
                .should()
                .beFreeOfCycles()
                .check(MODULE);
    }

    /** The console has no access to Redis: the endpoint can show and do the same. */
    @Test
    void consoleWhenItReadsOrChangesCallsTheServiceLayer() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.delayqueue.internal.client..",
                        "io.delayqueue.internal.autoconfigure..",
                        "io.delayqueue.internal.redis..",
                        "io.delayqueue.internal.store..",
                        "io.lettuce..",
                        "org.springframework.data..")
                .check(MODULE);
        noClasses()
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("io.delayqueue.admin.DelayQueueAdmin")
                .check(MODULE);
    }

    @Test
    void coreWhenItAnswersKnowsNoWebFramework() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "io.delayqueue.internal.console",
                        "io.delayqueue.internal.console.html..",
                        "io.delayqueue.internal.console.page..",
                        "io.delayqueue.internal.console.request..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "jakarta.servlet..",
                        "org.springframework.web..",
                        "org.springframework.http..",
                        "org.springframework.security..",
                        "reactor..")
                .check(MODULE);
    }
}
