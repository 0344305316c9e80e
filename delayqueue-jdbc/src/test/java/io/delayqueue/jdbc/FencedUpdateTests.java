// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.JdbcTemplate;

class FencedUpdateTests {

    private final JdbcTemplate none = new JdbcTemplate();

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a;b", "a\"b", "a'--", "1a", "a.b.c.d", "\u00fc"})
    void namesWhenTheyAreNoIdentifiersAreRefused(String name) {
        assertThatIllegalArgumentException().isThrownBy(() -> FencedUpdate.of(name));
        FencedUpdate orders = FencedUpdate.of("shop.orders");
        assertThatIllegalArgumentException().isThrownBy(() -> orders.set(name, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> orders.where(name, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> orders.fence(name, 1));
    }

    @Test
    void runWhenItWouldChangeEveryRowOrHasNoFenceIsRefused() {
        FencedUpdate update = FencedUpdate.of("orders").set("status", "CLOSED");
        assertThatIllegalStateException()
                .isThrownBy(() -> update.fence("fence", 1).run(none));
        assertThatIllegalStateException().isThrownBy(() -> update.where("id", 1).run(none));
    }
}
