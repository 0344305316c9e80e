// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Rules for the classes of every module. */
public abstract class ModuleRules {

    private final JavaClasses module;

    protected ModuleRules(JavaClasses module) {
        this.module = module;
    }

    /** Returns the classes of these packages without those of tests. */
    protected static JavaClasses classesOf(String... packages) {
        return new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages(packages);
    }

    @Test
    void exceptionsWhenThrownHaveOneRoot() {
        classes()
                .that()
                .areAssignableTo(RuntimeException.class)
                .should()
                .beAssignableTo(DelayQueueException.class)
                .check(module);
    }

    @Test
    void namesSayWhatAClassDoes() {
        noClasses()
                .should()
                .haveNameMatching(".*(Manager|Helper|Impl|Utils?|Constants|Common)(\\$.*)?")
                .check(module);
    }
}
