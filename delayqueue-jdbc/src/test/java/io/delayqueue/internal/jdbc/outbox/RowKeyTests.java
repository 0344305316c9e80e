// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RowKeyTests {

    /** Stored rows are found by this key. */
    @Test
    void ofWhenAVersionIsReleasedMakesItsBytes() {
        assertThat(RowKey.of("orders", "{customer-7}order-42"))
                .hasToString("417ae118191d9f012cef9389cee9004ace4a2d7aaaba7918b3ec59867fbfffeb");
    }

    @Test
    void ofWhenQueueOrIdDifferIsAnotherKey() {
        assertThat(RowKey.of("a", "{g}~1")).isEqualTo(RowKey.of("a", "{g}~2")).isEqualTo(RowKey.of("a", "{g}~"));
        assertThat(RowKey.of("a", "{g}1")).isNotEqualTo(RowKey.of("a", "{g}2"));
        assertThat(RowKey.of("a", "bc")).isNotEqualTo(RowKey.of("ab", "c")).isEqualTo(RowKey.of("a", "bc"));
        assertThat(RowKey.of("a", "B")).isNotEqualTo(RowKey.of("a", "b"));
    }
}
