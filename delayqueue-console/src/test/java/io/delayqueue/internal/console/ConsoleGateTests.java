// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.control.Caller;
import io.delayqueue.internal.console.ConsoleGate.Decision;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ConsoleGateTests {

    private static final Caller NOBODY = Caller.unknown("anonymous");
    private static final Caller CUSTOMER = Caller.of(() -> "customer", role -> false);
    private static final Caller OPERATOR = Caller.of(() -> "operator", "OPERATOR"::equals);

    private static Decision decide(ConsoleGate gate, Caller caller, boolean hasRule) {
        return gate.decide(caller, () -> hasRule);
    }

    @Test
    void consoleWhenNothingIsSaidIsClosedToEverybody() {
        ConsoleGate gate = new ConsoleGate(false, Set.of(), false);
        assertThat(decide(gate, NOBODY, false)).isEqualTo(Decision.UNKNOWN);
        assertThat(decide(gate, CUSTOMER, false)).isEqualTo(Decision.WITHOUT_RULE);
        assertThat(decide(gate, OPERATOR, false)).isEqualTo(Decision.WITHOUT_RULE);
    }

    @Test
    void consoleWithARuleIsOpenToThoseWhoAreKnown() {
        ConsoleGate gate = new ConsoleGate(false, Set.of(), false);
        assertThat(decide(gate, NOBODY, true)).isEqualTo(Decision.UNKNOWN);
        assertThat(decide(gate, OPERATOR, true)).isEqualTo(Decision.LET_IN);
    }

    @Test
    void consoleWithAResolverIsOpenToThoseWhoAreKnown() {
        ConsoleGate gate = new ConsoleGate(false, Set.of(), true);
        assertThat(decide(gate, NOBODY, false)).isEqualTo(Decision.UNKNOWN);
        assertThat(decide(gate, CUSTOMER, false)).isEqualTo(Decision.LET_IN);
    }

    @Test
    void consoleWithRolesIsOpenToThemAloneAlsoWhenExposed() {
        ConsoleGate gate = new ConsoleGate(true, Set.of("OPERATOR"), true);
        assertThat(decide(gate, NOBODY, true)).isEqualTo(Decision.UNKNOWN);
        assertThat(decide(gate, CUSTOMER, true)).isEqualTo(Decision.WITHOUT_ROLE);
        assertThat(decide(gate, OPERATOR, true)).isEqualTo(Decision.LET_IN);
    }

    @Test
    void consoleWhenExposedIsOpenToEverybody() {
        assertThat(decide(new ConsoleGate(true, Set.of(), false), NOBODY, false))
                .isEqualTo(Decision.LET_IN);
    }
}
