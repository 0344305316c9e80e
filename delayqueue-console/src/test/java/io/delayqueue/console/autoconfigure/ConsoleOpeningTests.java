// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class ConsoleOpeningTests {

    private static DelayQueueConsoleProperties exposed(boolean exposed) {
        return new DelayQueueConsoleProperties(true, "/delayqueue", exposed, Set.of(), Set.of(), "s3cr3t");
    }

    @Test
    void startWhenNothingSaysWhoMaySeeItWarnsThatItIsClosed(CapturedOutput log) {
        ConsoleOpening.tell(exposed(false), false);
        assertThat(log).contains("WARN", "The console at /delayqueue is closed", "spring-boot-starter-security");
    }

    @Test
    void startWhenExposedWithoutSpringSecurityWarnsThatItIsOpen(CapturedOutput log) {
        ConsoleOpening.tell(exposed(true), false);
        assertThat(log).contains("WARN", "open to everybody who reaches this application");
    }

    @Test
    void startWhenSecuredSaysWhoGetsIn(CapturedOutput log) {
        ConsoleOpening.tell(exposed(false), true);
        assertThat(log)
                .contains("a rule of the application's security for its path")
                .doesNotContain("WARN");
    }

    @Test
    void propertiesWhenPrintedShowNoSecret() {
        assertThat(exposed(true).toString()).doesNotContain("s3cr3t");
    }

    /** As it is where it comes from a variable that is not set. */
    @ParameterizedTest
    @ValueSource(strings = {"", " ", "s3cr3t", "0123456789abcde", "   0123456789   "})
    void secretWhenItIsTooShortIsRefusedAndNotShown(String secret) {
        assertThatThrownBy(() -> DelayQueueConsoleAutoConfiguration.secret(secret))
                .isInstanceOf(InvalidConsoleSetupException.class)
                .hasMessageContaining("delayqueue.console.csrf-secret")
                .hasMessageNotContaining("s3cr3t");
        assertThat(DelayQueueConsoleAutoConfiguration.secret("0123456789abcdef"))
                .isEqualTo("0123456789abcdef");
        assertThat(DelayQueueConsoleAutoConfiguration.secret(null)).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "delayqueue", "/delayqueue/", "/a//b", "/**", "/{x}", "/../a", "/a?b", "/\u202e"})
    void pathWhenItCannotBeOneIsRefused(String path) {
        assertThatThrownBy(() -> ConsolePath.of(path))
                .isInstanceOf(InvalidConsoleSetupException.class)
                .hasMessageContaining("delayqueue.console.path");
    }
}
