// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SignalledRoundsTests {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Executor NO_THREAD = step -> {
        throw new OutOfMemoryError("unable to create native thread");
    };

    private final AtomicInteger rounds = new AtomicInteger();
    private final Queue<Runnable> handedOver = new ArrayDeque<>();

    @Test
    void signalWhenIdleHasDoneARoundWhenItReturns() {
        SignalledRounds here = SignalledRounds.here("Counting", handedOver::add, rounds::incrementAndGet);

        here.signal();
        assertThat(rounds).hasValue(1);
        here.signal();

        assertThat(rounds).hasValue(2);
        assertThat(here.isIdle()).isTrue();
        assertThat(handedOver).isEmpty();
    }

    @Test
    void signalWhenARoundRunsIsFollowedByOneThatBeginsAfterIt() throws Exception {
        CountDownLatch inFirst = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        SignalledRounds here = SignalledRounds.here("Counting", handedOver::add, () -> {
            if (rounds.incrementAndGet() == 1) {
                inFirst.countDown();
                awaitUnchecked(mayEnd);
            }
        });
        Thread first = new Thread(here::signal);
        first.start();
        inFirst.await();

        here.signal();
        here.signal();
        assertThat(rounds).as("rounds do not overlap").hasValue(1);
        assertThat(here.isIdle()).isFalse();
        mayEnd.countDown();
        first.join();

        assertThat(rounds).as("one round serves both signals").hasValue(2);
        assertThat(here.isIdle()).isTrue();
    }

    @Test
    void signalWhenItComesFromARoundDoesNotNest() {
        List<String> order = new ArrayList<>();
        SignalledRounds[] self = new SignalledRounds[1];
        self[0] = SignalledRounds.here("Noting", handedOver::add, () -> {
            order.add("begin");
            if (order.size() == 1) {
                self[0].signal();
            }
            order.add("end");
        });

        self[0].signal();

        assertThat(order).containsExactly("begin", "end", "begin", "end");
    }

    @Test
    void roundsWhenSignalsDoNotCeaseGoOnOnTheExecutor() {
        SignalledRounds[] self = new SignalledRounds[1];
        self[0] = SignalledRounds.here("Counting", handedOver::add, () -> {
            if (rounds.incrementAndGet() < 7) {
                self[0].signal();
            }
        });

        self[0].signal();
        assertThat(rounds).hasValue(4);
        assertThat(handedOver).hasSize(1);
        handedOver.remove().run();

        assertThat(rounds).hasValue(7);
        assertThat(self[0].isIdle()).isTrue();
    }

    @Test
    void roundsWhenTheExecutorRefusesGoOnHere() {
        SignalledRounds[] self = new SignalledRounds[1];
        self[0] = SignalledRounds.here("Counting", NO_THREAD, () -> {
            if (rounds.incrementAndGet() < 11) {
                self[0].signal();
            }
        });

        self[0].signal();

        assertThat(rounds).hasValue(11);
        assertThat(self[0].isIdle()).isTrue();
    }

    @Test
    void roundWhenItThrowsIsFollowedByTheNext() {
        SignalledRounds[] self = new SignalledRounds[1];
        self[0] = SignalledRounds.here("Counting", NO_THREAD, () -> {
            if (rounds.incrementAndGet() == 1) {
                self[0].signal();
                throw new StackOverflowError();
            }
        });

        self[0].signal();

        assertThat(rounds).hasValue(2);
        assertThat(self[0].isIdle()).isTrue();
    }

    @Test
    void roundsOnAnExecutorWhenSignalledMeanwhileAreStepsOfTheirOwn() {
        AtomicInteger idle = new AtomicInteger();
        SignalledRounds[] self = new SignalledRounds[1];
        self[0] = SignalledRounds.on(
                "Counting",
                handedOver::add,
                () -> {
                    if (rounds.incrementAndGet() == 1) {
                        self[0].signal();
                    }
                },
                idle::incrementAndGet);

        self[0].signal();
        assertThat(rounds).hasValue(0);
        handedOver.remove().run();
        assertThat(rounds).hasValue(1);
        assertThat(idle).as("another round follows").hasValue(0);
        handedOver.remove().run();

        assertThat(rounds).hasValue(2);
        assertThat(idle).hasValue(1);
        assertThat(self[0].isIdle()).isTrue();
        assertThat(handedOver).isEmpty();
    }

    @Test
    void signalWhenTheExecutorRefusesIsForgottenAndTheNextTriesAgain() {
        Queue<RuntimeException> refusals = new ArrayDeque<>(List.of(new RejectedExecutionException("closed")));
        SignalledRounds rare = SignalledRounds.on(
                "Counting",
                step -> {
                    if (!refusals.isEmpty()) {
                        throw refusals.remove();
                    }
                    step.run();
                },
                rounds::incrementAndGet,
                () -> {});

        rare.signal();
        assertThat(rounds).hasValue(0);
        assertThat(rare.isIdle()).isTrue();
        rare.signal();

        assertThat(rounds).hasValue(1);
    }

    @Test
    void signalsWhenTheyComeFromManyThreadsAreAllSeenByRoundsThatNeverOverlap() throws Exception {
        AtomicInteger offered = new AtomicInteger();
        AtomicInteger atOnce = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        int[] seen = new int[1];
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            SignalledRounds shared = SignalledRounds.here("Counting", threads, () -> {
                most.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
                seen[0] = offered.get();
                atOnce.decrementAndGet();
            });
            List<Future<?>> all = new ArrayList<>();
            for (int thread = 0; thread < 3; thread++) {
                all.add(threads.submit(() -> {
                    for (int i = 0; i < 10_000; i++) {
                        offered.incrementAndGet();
                        shared.signal();
                    }
                }));
            }
            for (Future<?> each : all) {
                each.get();
            }
            await().atMost(PATIENCE).until(shared::isIdle);
        } finally {
            threads.shutdown();
        }
        assertThat(most).hasValue(1);
        assertThat(seen[0]).isEqualTo(30_000);
    }

    private static void awaitUnchecked(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException ex) {
            throw new IllegalStateException(ex);
        }
    }
}
