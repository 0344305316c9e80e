// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.control.Caller;
import io.delayqueue.internal.console.ConsoleGate.Decision;
import io.delayqueue.internal.control.web.TrustedHosts;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConsoleGateTests {

    private static final Caller NOBODY = Caller.unknown("anonymous");
    private static final Caller CUSTOMER = Caller.of(() -> "customer", role -> false);

    private static ConsoleGate gate(boolean exposed, String... roles) {
        return new ConsoleGate(exposed, Set.of(roles), new TrustedHosts(Set.of("Queues.Internal")));
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
        assertThat(gate(true).decide(NOBODY, List.of(host))).isEqualTo(Decision.LET_IN);
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
        assertThat(gate(true).decide(NOBODY, List.of(host))).isEqualTo(Decision.FOREIGN_HOST);
        assertThat(gate(true).decide(CUSTOMER, List.of(host))).isEqualTo(Decision.LET_IN);
    }

    @Test
    void hostWhenAProxyTellsAnotherThanTheBrowserHasToBeTrustedToo() {
        for (List<String> hosts : List.of(
                List.<String>of(), List.of("evil.example", "localhost"), List.of("localhost", "evil.example"))) {
            assertThat(gate(true).decide(NOBODY, hosts)).isEqualTo(Decision.FOREIGN_HOST);
        }
    }
}
