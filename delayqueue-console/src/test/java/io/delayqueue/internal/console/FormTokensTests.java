// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.internal.console.request.ConsoleRequest.Origin;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

class FormTokensTests {

    private static final Instant NOW = Instant.parse("2026-11-22T22:30:00Z");
    private static final Origin OWN = new Origin("same-origin", "https://shop.example", "shop.example");

    private final FormTokens tokens = at(NOW);

    private static FormTokens at(Instant now) {
        return new FormTokens("secret", InstantSource.fixed(now));
    }

    @Test
    void formWithTheTokenOfItsCallerIsTakenAlsoByAnotherProcess() {
        assertThat(at(NOW.plus(Duration.ofHours(11))).refusal(OWN, "anna", tokens.issue("anna"), false))
                .isNull();
    }

    @Test
    void formWithAnotherTokenOrNoneIsRefused() {
        String token = tokens.issue("anna");
        assertThat(tokens.refusal(OWN, "anna", null, false)).contains("too old");
        assertThat(tokens.refusal(OWN, "bert", token, false)).contains("too old");
        assertThat(tokens.refusal(OWN, "anna", "x" + token.substring(1), false)).contains("too old");
        assertThat(tokens.refusal(OWN, "anna", "no base64!", false)).contains("too old");
        assertThat(at(NOW.plus(Duration.ofHours(14))).refusal(OWN, "anna", token, false))
                .contains("too old");
        assertThat(new FormTokens(null, InstantSource.fixed(NOW)).refusal(OWN, "anna", token, false))
                .contains("another process");
    }

    @Test
    void formOfAnotherSiteIsRefusedWhateverItsToken() {
        String token = tokens.issue("anna");
        for (Origin foreign : new Origin[] {
            new Origin("cross-site", "https://shop.example", "shop.example"),
            new Origin("same-site", "https://shop.example", "shop.example"),
            new Origin("none", null, "shop.example"),
            new Origin(null, "https://evil.example", "shop.example"),
            new Origin(null, "https://shop.example:8443", "shop.example"),
            new Origin(null, "null", "shop.example")
        }) {
            assertThat(tokens.refusal(foreign, "anna", token, false))
                    .as("%s", foreign)
                    .contains("did not come");
            assertThat(tokens.refusal(foreign, "anna", null, true))
                    .as("%s", foreign)
                    .contains("did not come");
        }
        assertThat(tokens.refusal(new Origin(null, null, "shop.example"), "anna", token, false))
                .contains("did not come");
    }

    @Test
    void formOfABrowserThatTellsItsOriginOnlyIsTaken() {
        Origin origin = new Origin(null, "http://shop.example:8080", "shop.example:8080");
        assertThat(tokens.refusal(origin, "anna", tokens.issue("anna"), false)).isNull();
    }

    @Test
    void formThatTheApplicationHasCheckedNeedsNoTokenOfOurs() {
        assertThat(tokens.refusal(OWN, "anna", null, true)).isNull();
        assertThat(tokens.refusal(new Origin(null, null, "shop.example"), "anna", null, true))
                .isNull();
    }
}
