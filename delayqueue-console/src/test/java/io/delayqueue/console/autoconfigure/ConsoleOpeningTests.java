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

    private static DelayQueueConsoleProperties exposed(boolean exposed, String... roles) {
        return new DelayQueueConsoleProperties(true, "/delayqueue", Set.of(roles), exposed, Set.of(), null, null);
    }

    @Test
    void startWhenSecuredSaysWhoGetsIn(CapturedOutput log) {
        ConsoleOpening.tell(exposed(true), true);
        ConsoleOpening.tell(exposed(true, "OPERATOR"), false);
        assertThat(log)
                .contains("that the application's security allows", "one of the roles [OPERATOR]")
                .doesNotContain("WARN");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "delayqueue", "/delayqueue/", "/a//b", "/**", "/{x}", "/../a", "/a?b", "/\u202e"})
    void pathWhenItCannotBeOneIsRefused(String path) {
        assertThatThrownBy(() -> ConsolePath.of(path))
                .isInstanceOf(InvalidConsoleSetupException.class)
                .hasMessageContaining("delayqueue.console.path");
    }
}
