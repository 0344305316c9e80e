// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.control;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import io.delayqueue.ModuleRules;
import org.junit.jupiter.api.Test;

class ArchitectureTests extends ModuleRules {

    private static final JavaClasses MODULE = classesOf("io.delayqueue.control", "io.delayqueue.internal.control");

    ArchitectureTests() {
        super(MODULE);
    }

    /** The module calls the public API and the store, however the application reaches Redis and its broker. */
    @Test
    void moduleWhenUsedNeedsNeitherTheStarterNorADriver() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.delayqueue.autoconfigure..",
                        "io.delayqueue.internal.autoconfigure..",
                        "io.delayqueue.internal.client..",
                        "io.delayqueue.internal.redis..",
                        "io.delayqueue.rabbit..",
                        "io.lettuce..",
                        "org.springframework..")
                .check(MODULE);
    }
}
