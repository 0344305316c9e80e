// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.LogLines;
import io.delayqueue.internal.rabbit.confirm.Outgoing;
import io.delayqueue.rabbit.RabbitAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class GatesTests {

    private static final RabbitAddress FULL = new RabbitAddress("shop", "full");

    private final AtomicLong now = new AtomicLong();
    private final Gates gates = new Gates(Gate.FIRST_PAUSE, now::get);

    @Test
    void answeredWhenAllIsTakenRemembersNothing() {
        gates.answered(FULL, 200, 0, true);

        assertThat(gates.isAny()).isFalse();
        assertThat(gates.refusals()).isEmpty();
        assertThat(gates.closedFor(FULL)).isZero();
    }

    @Test
    void answeredWhenNackedCountsAndTellsOfTheStartOnceAndOfTheEnd() {
        try (LogLines lines = new LogLines()) {
            gates.answered(FULL, 0, 7, true);
            assertThat(gates.isAny()).isTrue();
            gates.answered(FULL, 0, 5, true);
            assertThat(gates.hold(FULL)).isPositive();
            assertThat(gates.hold(FULL)).isPositive();

            assertThat(gates.refusals()).singleElement().satisfies(refusal -> {
                assertThat(refusal.exchange()).isEqualTo("shop");
                assertThat(refusal.routingKey()).isEqualTo("full");
                assertThat(refusal.nacks()).isEqualTo(12);
            });
            takeAll();

            assertThat(gates.isAny()).isFalse();
            assertThat(lines.all())
                    .hasSize(2)
                    .allMatch(line -> line.contains("exchange 'shop', routing key 'full'"))
                    .satisfiesExactly(
                            start -> assertThat(start).startsWith("RabbitMQ refuses (nacks) messages for "),
                            end -> assertThat(end).startsWith("RabbitMQ accepts messages for "));
        }
    }

    @Test
    void answeredWhenAnAddressComesAndGoesTellsOfItOnce() {
        try (LogLines lines = new LogLines()) {
            for (int i = 0; i < 3; i++) {
                gates.answered(FULL, 0, 1, true);
                takeAll();
            }
            assertThat(lines.all()).hasSize(2);
        }
    }

    @Test
    void answeredWhenMoreAddressesRefuseThanAreKnownHoldsTheOthersForTheLongestPauseAndTellsOfOne() {
        try (LogLines lines = new LogLines()) {
            for (int i = 0; i < Gates.MOST + 5; i++) {
                gates.answered(new RabbitAddress("shop", "full-" + i), 0, 1, true);
            }
            assertThat(lines.all()).hasSize(1);
        }

        assertThat(gates.refusals()).hasSize(Gates.MOST);
        assertThat(gates.hold(new RabbitAddress("shop", "full-" + (Gates.MOST + 1))))
                .isEqualTo(Gate.FIRST_PAUSE);
    }

    @Test
    void admitWhenManyRoundsAreUnderWayHoldsOthersUntilOneEnds() {
        for (int i = 0; i <= Gates.MOST_ROUNDS; i++) {
            gates.answered(new RabbitAddress("shop", "full-" + i), 0, 1, true);
        }
        pass(Gate.FIRST_PAUSE);
        for (int i = 0; i < Gates.MOST_ROUNDS; i++) {
            assertThat(gates.admit(new RabbitAddress("shop", "full-" + i), 5, Duration.ofMinutes(1)))
                    .isEqualTo(1);
        }
        RabbitAddress last = new RabbitAddress("shop", "full-" + Gates.MOST_ROUNDS);

        assertThat(gates.admit(last, 5, Duration.ofMinutes(1))).isZero();
        assertThat(gates.closedFor(last)).isPositive();
        gates.answered(new RabbitAddress("shop", "full-0"), 0, 1, true);
        pass(Gate.FIRST_PAUSE);
        assertThat(gates.admit(last, 5, Duration.ofMinutes(1))).isEqualTo(1);
    }

    @Test
    void allWhenNothingWentToAnAddressForLongForgetsIt() {
        gates.answered(FULL, 0, 1, true);

        pass(Duration.ofMinutes(9));
        assertThat(gates.refusals()).hasSize(1);
        pass(Duration.ofMinutes(2));
        assertThat(gates.refusals()).isEmpty();
        assertThat(gates.isAny()).isFalse();
        assertThat(gates.closedFor(FULL)).isZero();
    }

    @Test
    void answeredWhenTheNamesAreOddWritesALineThatNobodyForged() {
        try (LogLines lines = new LogLines()) {
            gates.answered(new RabbitAddress("a\r\n" + "b", "k\u0007"), 0, 1, true);

            assertThat(lines.all()).hasSize(1);
            lines.assertUnforged();
        }
    }

    @Test
    void silentGivesEachAddressAGateThatIsNoRefusalAndOpensWithAnAnswer() {
        RabbitAddress other = new RabbitAddress("shop", "other");
        assertThat(gates.silent(List.of(message(FULL), message(other)))).isTrue();
        assertThat(gates.silent(List.of(message(FULL)))).as("it was alone").isFalse();

        assertThat(gates.refusals()).isEmpty();
        assertThat(gates.takeApart(new ArrayList<>(List.of(message(FULL), message(other), message(FULL)))))
                .hasSize(2);
        gates.answered(FULL, 1, 0, true);
        gates.answered(other, 1, 0, true);
        assertThat(gates.isAny()).isFalse();
    }

    private static Outgoing message(RabbitAddress to) {
        return new Outgoing(null, to, null);
    }

    /** Runs rounds in which the broker accepts everything, each after the rest of a pause. */
    private void takeAll() {
        while (gates.isAny()) {
            int admitted = gates.admit(FULL, 300, Duration.ofSeconds(1));
            if (admitted > 0) {
                gates.answered(FULL, admitted, 0, true);
            } else {
                pass(Gate.FIRST_PAUSE);
            }
        }
    }

    private void pass(Duration time) {
        now.addAndGet(time.toNanos());
    }
}
