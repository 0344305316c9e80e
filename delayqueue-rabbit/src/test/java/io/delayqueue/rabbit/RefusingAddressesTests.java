// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.LogLines;
import io.delayqueue.rabbit.OutgoingMapper.Address;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RefusingAddressesTests {

    private static final Address FULL = new Address("shop", "full");

    private final AtomicLong now = new AtomicLong();
    private final RefusingAddresses refusing = new RefusingAddresses(Refusal.FIRST_PAUSE, now::get);

    @Test
    void answeredWhenAllIsTakenRemembersNothing() {
        refusing.answered(FULL, 200, 0);

        assertThat(refusing.isAny()).isFalse();
        assertThat(refusing.all()).isEmpty();
        assertThat(refusing.closedFor(FULL)).isZero();
    }

    @Test
    void answeredWhenNackedCountsAndTellsOfTheStartOnceAndOfTheEnd() {
        try (LogLines lines = new LogLines()) {
            refusing.answered(FULL, 0, 7);
            assertThat(refusing.isAny()).isTrue();
            refusing.answered(FULL, 0, 5);
            assertThat(refusing.hold(FULL, true)).isPositive();
            assertThat(refusing.hold(FULL, false)).isPositive();

            assertThat(refusing.nacks()).isEqualTo(12);
            assertThat(refusing.all()).singleElement().satisfies(refusal -> {
                assertThat(refusal.exchange()).isEqualTo("shop");
                assertThat(refusal.routingKey()).isEqualTo("full");
                assertThat(refusal.nacks()).isEqualTo(12);
                assertThat(refusal.held()).isEqualTo(1);
            });
            takeAll();

            assertThat(refusing.isAny()).isFalse();
            assertThat(lines.all())
                    .hasSize(2)
                    .allMatch(line -> line.contains("exchange 'shop', routing key 'full'"))
                    .satisfiesExactly(
                            start -> assertThat(start).startsWith("RabbitMQ refuses (nacks) what goes to "),
                            end -> assertThat(end).startsWith("RabbitMQ takes what goes to "));
        }
    }

    @Test
    void answeredWhenAnAddressComesAndGoesTellsOfItOnce() {
        try (LogLines lines = new LogLines()) {
            for (int i = 0; i < 3; i++) {
                refusing.answered(FULL, 0, 1);
                takeAll();
            }
            assertThat(lines.all()).hasSize(2);
        }
    }

    @Test
    void answeredWhenMoreAddressesRefuseThanAreKnownHoldsTheOthersForTheLongestPauseAndTellsOfTen() {
        try (LogLines lines = new LogLines()) {
            for (int i = 0; i < RefusingAddresses.MOST + 5; i++) {
                refusing.answered(new Address("shop", "full-" + i), 0, 1);
            }
            assertThat(lines.all()).hasSize(10);
        }

        assertThat(refusing.all()).hasSize(RefusingAddresses.MOST);
        assertThat(refusing.hold(new Address("shop", "full-" + (RefusingAddresses.MOST + 1)), true))
                .isEqualTo(Refusal.FIRST_PAUSE);
    }

    @Test
    void admitWhenManyRoundsAreUnderWayHoldsOthersUntilOneEnds() {
        for (int i = 0; i <= RefusingAddresses.MOST_ROUNDS; i++) {
            refusing.answered(new Address("shop", "full-" + i), 0, 1);
        }
        pass(Refusal.FIRST_PAUSE);
        for (int i = 0; i < RefusingAddresses.MOST_ROUNDS; i++) {
            assertThat(refusing.admit(new Address("shop", "full-" + i), 5, Duration.ofMinutes(1)))
                    .isEqualTo(1);
        }
        Address last = new Address("shop", "full-" + RefusingAddresses.MOST_ROUNDS);

        assertThat(refusing.admit(last, 5, Duration.ofMinutes(1))).isZero();
        assertThat(refusing.closedFor(last)).isPositive();
        refusing.answered(new Address("shop", "full-0"), 0, 1);
        pass(Refusal.FIRST_PAUSE);
        assertThat(refusing.admit(last, 5, Duration.ofMinutes(1))).isEqualTo(1);
    }

    @Test
    void allWhenNothingWentToAnAddressForLongForgetsIt() {
        refusing.answered(FULL, 0, 1);

        pass(Duration.ofMinutes(9));
        assertThat(refusing.all()).hasSize(1);
        pass(Duration.ofMinutes(2));
        assertThat(refusing.all()).isEmpty();
        assertThat(refusing.isAny()).isFalse();
        assertThat(refusing.closedFor(FULL)).isZero();
    }

    @Test
    void answeredWhenTheNamesAreOddWritesALineThatNobodyForged() {
        try (LogLines lines = new LogLines()) {
            refusing.answered(new Address("a\r\n" + "b", "k\u0007"), 0, 1);

            assertThat(lines.all()).hasSize(1);
            lines.assertUnforged();
        }
    }

    /** Rounds of which the broker takes everything, each after what is left of a pause. */
    private void takeAll() {
        while (refusing.isAny()) {
            int admitted = refusing.admit(FULL, 300, Duration.ofSeconds(1));
            if (admitted > 0) {
                refusing.answered(FULL, admitted, 0);
            } else {
                pass(Refusal.FIRST_PAUSE);
            }
        }
    }

    private void pass(Duration time) {
        now.addAndGet(time.toNanos());
    }
}
