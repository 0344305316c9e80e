// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.sample;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.sample.Order.Status;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class OrderBookTests {

    private final OrderBook book = new OrderBook();

    @Test
    void changeIfOpenWhenTheOrderHasEndedLeavesIt() {
        book.add(new Order("a", "a lamp", Status.OPEN, Instant.EPOCH));
        assertThat(book.changeIfOpen("a", order -> order.with(Status.PAID))).isTrue();
        assertThat(book.changeIfOpen("a", order -> order.with(Status.CLOSED))).isFalse();
        assertThat(book.find("a").orElseThrow().status()).isEqualTo(Status.PAID);
        assertThat(book.changeIfOpen("none", order -> order)).isFalse();
    }

    @Test
    void changeIfOpenWhenManyHaveEndedForgetsTheEldestOfThem() {
        for (int i = 0; i <= 1000; i++) {
            book.add(new Order("o" + i, "a lamp", Status.OPEN, Instant.EPOCH));
            book.changeIfOpen("o" + i, order -> order.with(Status.CLOSED));
        }
        assertThat(book.find("o0")).isEmpty();
        assertThat(book.find("o1")).isPresent();
        assertThat(book.open()).isZero();
    }
}
