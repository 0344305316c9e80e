// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.control.Caller;
import io.delayqueue.internal.console.ConsoleGate.Decision;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConsoleGateTests {

    private static final Caller NOBODY = Caller.unknown("anonymous");
    private static final Caller CUSTOMER = Caller.of(() -> "customer", role -> false);
    private static final Caller OPERATOR = Caller.of(() -> "operator", "OPERATOR"::equals);

    private static final List<String> LOCAL = List.of("localhost:8080", "localhost");

    private static ConsoleGate gate(boolean exposed, String... roles) {
        return new ConsoleGate(exposed, Set.of(roles), new TrustedHosts(Set.of("Queues.Internal")));
    }

    private static Decision decide(ConsoleGate gate, Caller caller, boolean hasRule) {
        return gate.decide(caller, LOCAL, () -> hasRule);
    }

    @Test
    void consoleWhenNothingIsSaidIsClosedToEverybody() {
        ConsoleGate gate = gate(false);
        assertThat(decide(gate, NOBODY, false)).isEqualTo(Decision.UNKNOWN);
        assertThat(decide(gate, CUSTOMER, false)).isEqualTo(Decision.WITHOUT_RULE);
        assertThat(decide(gate, OPERATOR, false)).isEqualTo(Decision.WITHOUT_RULE);
    }

    @Test
    void consoleWithARuleIsOpenToThoseWhoAreKnown() {
        ConsoleGate gate = gate(false);
        assertThat(decide(gate, NOBODY, true)).isEqualTo(Decision.UNKNOWN);
        assertThat(decide(gate, OPERATOR, true)).isEqualTo(Decision.LET_IN);
    }

    @Test
    void consoleWithRolesIsOpenToThemAloneAlsoWhenExposed() {
        ConsoleGate gate = gate(true, "OPERATOR");
        assertThat(decide(gate, NOBODY, true)).isEqualTo(Decision.UNKNOWN);
        assertThat(decide(gate, CUSTOMER, true)).isEqualTo(Decision.WITHOUT_ROLE);
        assertThat(decide(gate, OPERATOR, true)).isEqualTo(Decision.LET_IN);
    }

    @Test
    void consoleWhenExposedIsOpenToEverybody() {
        assertThat(decide(gate(true), NOBODY, false)).isEqualTo(Decision.LET_IN);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost",
                "LocalHost:80",
                "127.0.0.1:8080",
                "10.1.2.3",
                "[::1]:8080",
                "[fe80::1]",
                "::1",
                "queues.internal",
                "queues.INTERNAL:8443"
            })
    void hostWhenItCannotBeAnotherSitesIsTrusted(String host) {
        assertThat(gate(true).decide(NOBODY, List.of(host), () -> false)).isEqualTo(Decision.LET_IN);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "evil.example",
                "evil.example:8080",
                "localhost.evil.example",
                "127.0.0.1.evil.example",
                "1.2.3.4.5.example",
                "localhost@evil.example",
                "a.queues.internal",
                "[evil.example]",
                "evil.example:::1",
                "localhost:80:x"
            })
    void hostWhenItMayBeAnotherSitesIsRefusedToThoseWhoAreUnknown(String host) {
        assertThat(gate(true).decide(NOBODY, List.of(host), () -> false)).isEqualTo(Decision.FOREIGN_HOST);
        assertThat(gate(true).decide(CUSTOMER, List.of(host), () -> false)).isEqualTo(Decision.LET_IN);
    }

    @Test
    void hostWhenAProxyTellsAnotherThanTheBrowserHasToBeTrustedToo() {
        for (List<String> hosts : List.of(
                List.<String>of(), List.of("evil.example", "localhost"), List.of("localhost", "evil.example"))) {
            assertThat(gate(true).decide(NOBODY, hosts, () -> false)).isEqualTo(Decision.FOREIGN_HOST);
        }
    }

    @Test
    void pathsOfARuleAreTheRequestsAndTheRootsAndOthersOfTheSameShape() {
        RulePaths paths = RulePaths.of("/api", "/internal/queues", "/queues/a%2Fb");

        assertThat(paths.own()).containsExactly("/api/internal/queues/queues/a%2Fb", "/api/internal/queues/");
        assertThat(paths.elsewhere()).hasSize(2);
        assertThat(paths.elsewhere().get(0)).matches("/api/[0-9a-f-]{36}/[0-9a-f-]{36}/queues/a%2Fb");
        assertThat(paths.elsewhere().get(1)).matches("/api/[0-9a-f-]{36}/[0-9a-f-]{36}/");
    }
}
