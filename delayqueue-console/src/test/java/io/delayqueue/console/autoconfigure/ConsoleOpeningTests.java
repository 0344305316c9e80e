// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.mock.env.MockEnvironment;

@ExtendWith(OutputCaptureExtension.class)
class ConsoleOpeningTests {

    private static DelayQueueConsoleProperties exposed(boolean exposed, String... roles) {
        return new DelayQueueConsoleProperties(true, "/delayqueue", Set.of(roles), exposed, Set.of(), null, null);
    }

    @Test
    void startWhenNothingSaysWhoMaySeeItWarnsThatItIsClosed(CapturedOutput log) {
        ConsoleOpening.tell(exposed(false), true);
        assertThat(log).contains("WARN", "The console at /delayqueue is closed", "delayqueue.console.roles");
    }

    @Test
    void startWhenExposedWithoutSpringSecurityWarnsThatItIsOpen(CapturedOutput log) {
        ConsoleOpening.tell(exposed(true), false);
        assertThat(log).contains("WARN", "open to anyone who can reach this application");
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
    @CsvSource({"/delayqueue,/", "/delayqueue/console,/", "/ops,/ops"})
    void pathWhenTheEndpointHasItIsRefused(String path, String endpoints) {
        MockEnvironment environment =
                new MockEnvironment().withProperty("management.endpoints.web.base-path", endpoints);
        ConsolePath console = ConsolePath.of(path);

        assertThatThrownBy(() -> console.checkAgainstEndpoint(environment))
                .isInstanceOf(InvalidConsoleSetupException.class)
                .hasMessageContainingAll("delayqueue.console.path", "management.endpoints.web.base-path");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "management.endpoints.web.base-path=/actuator",
                "management.server.port=8081",
                "management.endpoints.web.path-mapping.delayqueue=delayqueue-admin"
            })
    void pathWhenTheEndpointIsElsewhereIsAccepted(String property) {
        MockEnvironment environment = new MockEnvironment().withProperty("management.endpoints.web.base-path", "/");
        environment.setProperty(property.split("=")[0], property.split("=")[1]);

        assertThatNoException().isThrownBy(() -> ConsolePath.of("/delayqueue").checkAgainstEndpoint(environment));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "delayqueue", "/delayqueue/", "/a//b", "/**", "/{x}", "/../a", "/a?b", "/\u202e"})
    void pathWhenItCannotBeOneIsRefused(String path) {
        assertThatThrownBy(() -> ConsolePath.of(path))
                .isInstanceOf(InvalidConsoleSetupException.class)
                .hasMessageContaining("delayqueue.console.path");
    }
}
