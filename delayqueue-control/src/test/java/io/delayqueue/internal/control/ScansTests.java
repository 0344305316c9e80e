// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.delayqueue.control.Caller;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ScansTests {

    private static final Caller ANN = Caller.unknown("ann");
    private static final Caller BOB = Caller.unknown("bob");
    private static final Caller CID = Caller.unknown("cid");

    private final Scans scans = new Scans();
    private final CountDownLatch release = new CountDownLatch(1);
    private final List<CompletableFuture<Void>> running = new ArrayList<>();

    @AfterEach
    void end() {
        release.countDown();
        running.forEach(CompletableFuture::join);
    }

    private void begin(Caller caller) {
        CountDownLatch begun = new CountDownLatch(1);
        CompletableFuture<Void> search = new CompletableFuture<>();
        new Thread(() -> {
                    try {
                        scans.run(caller, Duration.ZERO, () -> {
                            begun.countDown();
                            await(release);
                            return "";
                        });
                        search.complete(null);
                    } catch (RuntimeException ex) {
                        search.completeExceptionally(ex);
                    }
                })
                .start();
        running.add(search);
        await(begun);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException ex) {
            throw new AssertionError(ex);
        }
    }

    private void assertRefused(Caller caller) {
        assertThatExceptionOfType(TooManyScansException.class)
                .isThrownBy(() -> scans.run(caller, Duration.ofMillis(1), () -> "late"))
                .withMessageContaining(caller.name());
    }

    @Test
    void searchWhenTwoOfTheCallerRunIsRefusedAndThoseOfOthersAreNot() {
        begin(ANN);
        begin(ANN);

        assertRefused(ANN);
        assertThat(scans.run(BOB, Duration.ZERO, () -> "mine")).isEqualTo("mine");
    }

    @Test
    void searchWhenFourRunIsRefusedToEverybodyUntilOneEnds() {
        begin(ANN);
        begin(ANN);
        begin(BOB);
        begin(BOB);

        assertRefused(CID);
        CompletableFuture<String> patient =
                CompletableFuture.supplyAsync(() -> scans.run(CID, Duration.ofMinutes(1), () -> "later"));
        release.countDown();
        assertThat(patient.join()).isEqualTo("later");
    }

    @Test
    void searchWhenItFailsMakesRoom() {
        for (int i = 0; i < 2 * Scans.MOST; i++) {
            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(() -> scans.run(ANN, Duration.ZERO, () -> {
                        throw new IllegalStateException("odd");
                    }));
        }
    }
}
