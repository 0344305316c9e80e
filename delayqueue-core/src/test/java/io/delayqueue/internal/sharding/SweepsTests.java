// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.sharding;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.internal.calls.CallThreads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class SweepsTests {

    private final Sweeps sweeps = new Sweeps(new CallThreads());
    private final List<CompletableFuture<Integer>> sent = new ArrayList<>();

    private CompletableFuture<Integer> call() {
        return sweeps.call(() -> {
            CompletableFuture<Integer> call = new CompletableFuture<>();
            sent.add(call);
            return call;
        });
    }

    @Test
    void callWhenManyAreUnderWayWaitsForOneThatEnds() {
        List<CompletableFuture<Integer>> answers = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            answers.add(call());
        }
        assertThat(sent).hasSize(Sweeps.CALLS);

        sent.get(0).complete(1);
        sent.get(1).completeExceptionally(new IllegalStateException("x"));

        assertThat(sent).hasSize(Sweeps.CALLS + 2);
        assertThat(answers.get(0)).isCompletedWithValue(1);
        assertThat(answers.get(1)).isCompletedExceptionally();
        for (int i = 2; i < 200; i++) {
            sent.get(i).complete(i);
        }
        assertThat(answers.get(199)).isCompletedWithValue(199);
    }

    @Test
    void callWhenCallsEndOrThrowAtOnceNeedsNoStackForThem() {
        CompletableFuture<Integer> last = new CompletableFuture<>();
        for (int i = 0; i < 100_000; i++) {
            last = sweeps.call(() -> {
                throw new IllegalStateException("at once");
            });
        }
        assertThat(last).isCompletedExceptionally();
        assertThat(call()).isNotDone();
        assertThat(sent).hasSize(1);
    }
}
