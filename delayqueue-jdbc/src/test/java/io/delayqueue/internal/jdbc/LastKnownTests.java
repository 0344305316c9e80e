// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LastKnownTests {

    private final Deque<Runnable> steps = new ArrayDeque<>();
    private final AtomicInteger reads = new AtomicInteger();

    private LastKnown<Integer> value(Duration maxAge) {
        return new LastKnown<>(maxAge, steps::add, reads::incrementAndGet);
    }

    @Test
    void freshWhenSeveralAskTogetherIsOneRead() {
        LastKnown<Integer> value = value(Duration.ofHours(1));
        CompletableFuture<Integer> first = value.fresh();
        CompletableFuture<Integer> second = value.fresh();
        assertThat(first).isNotDone();

        steps.remove().run();

        assertThat(first).isCompletedWithValue(1);
        assertThat(second).isCompletedWithValue(1);
        assertThat(value.fresh()).isCompletedWithValue(1);
        assertThat(steps).isEmpty();
    }

    @Test
    void knownWhenTheValueIsTooOldIsTheOldOneUntilItIsReadAgain() {
        LastKnown<Integer> value = value(Duration.ZERO);
        assertThat(value.known()).isNull();
        steps.remove().run();

        assertThat(value.known()).isEqualTo(1);
        assertThat(value.known()).isEqualTo(1);
        assertThat(steps).as("one read at a time").hasSize(1);
        steps.remove().run();

        assertThat(value.known()).isEqualTo(2);
    }

    @Test
    void freshWhenTheReadOrItsThreadFailsFailsAndIsReadAgainNextTime() {
        AtomicInteger tries = new AtomicInteger();
        LastKnown<Integer> value = new LastKnown<>(
                Duration.ofHours(1),
                step -> {
                    if (tries.incrementAndGet() == 1) {
                        throw new OutOfMemoryError("unable to create native thread");
                    }
                    step.run();
                },
                () -> {
                    if (tries.get() == 2) {
                        throw new IllegalStateException("the server is away");
                    }
                    return tries.get();
                });

        assertThat(value.fresh()).isCompletedExceptionally();
        assertThat(value.fresh()).isCompletedExceptionally();
        assertThat(value.fresh()).isCompletedWithValue(3);
    }
}
