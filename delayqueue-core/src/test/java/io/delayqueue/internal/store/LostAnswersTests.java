// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** When leases of lost answers are reclaimed, and which are not lost. */
class LostAnswersTests {

    private static final long PATIENCE = 1_000;

    private final LostAnswers answers = new LostAnswers("Queue 'orders', shard 0", PATIENCE);
    private final List<CompletableFuture<Void>> reclaims = new ArrayList<>();

    private CompletableFuture<Void> begin(Long serverMillis) {
        return answers.begin(serverMillis, () -> {
            CompletableFuture<Void> reclaim = new CompletableFuture<>();
            reclaims.add(reclaim);
            return reclaim;
        });
    }

    private List<String> known() {
        return Arrays.stream(answers.knownTokens())
                .map(token -> new String(token, StandardCharsets.US_ASCII))
                .toList();
    }

    @Test
    void beginWhenAnotherAcquireIsInProgressDoesNotReclaimWhatThatMayTake() {
        begin(100L);
        begin(100L);
        answers.lost(200L);
        assertThat(begin(300L)).isNull();
        answers.answered(8);
        assertThat(begin(300L)).isNull();
        answers.answered(9);
        answers.answered(10);
        assertThat(reclaims).isEmpty();

        assertThat(begin(400L)).isNotNull();
        assertThat(known()).containsExactly("0", "8", "9", "10");
    }

    @Test
    void beginWhenTheClockWasNotKnownWaitsUntilItHasBeenForAsLongAsAnAnswerIsAwaited() {
        begin(null);
        answers.lost(null);
        assertThat(begin(null)).isNull();
        answers.answered(0);

        assertThat(begin(5_000L)).isNull();
        answers.answered(0);
        assertThat(begin(5_000 + PATIENCE)).isNotNull();
    }

    @Test
    void beginWhenReclaimingFailsGoesOnAndTriesAgainLater() {
        begin(100L);
        answers.lost(200L);
        CompletableFuture<Void> first = begin(200L);
        reclaims.get(0).completeExceptionally(new IllegalStateException("no answer"));

        assertThat(first).isCompleted();
        assertThat(begin(201L)).isNull();
        answers.answered(0);
        assertThat(begin(200 + PATIENCE)).isNotNull();
    }

    @Test
    void beginWhenReclaimingThrowsGoesOnAndTriesAgainLater() {
        begin(100L);
        answers.lost(200L);
        CompletableFuture<Void> first = answers.begin(200L, () -> {
            throw new OutOfMemoryError("for a moment");
        });

        assertThat(first).isCompleted();
        assertThat(begin(201L)).isNull();
        answers.answered(0);
        assertThat(begin(200 + PATIENCE)).isNotNull();
    }

    @Test
    void untilReclaimWhenAnAnswerIsLostEndsWhenItMayBeReclaimed() {
        assertThat(answers.untilReclaim(100L)).isNull();
        begin(100L);
        answers.lost(1_100L);

        assertThat(answers.untilReclaim(200L)).isEqualTo(Duration.ofMillis(901));
        assertThat(answers.untilReclaim(null)).isEqualTo(Duration.ofMillis(PATIENCE));
        assertThat(answers.untilReclaim(2_000L))
                .as("another acquire is in progress")
                .isPositive();
        begin(1_101L);
        reclaims.get(0).complete(null);
        assertThat(answers.untilReclaim(1_101L)).isNull();
    }

    @Test
    void untilReclaimWhenTheClockWasNotKnownIsAsLongAsAnAnswerIsAwaited() {
        begin(null);
        answers.lost(null);
        begin(null);
        answers.answered(0);

        assertThat(answers.untilReclaim(5_000L)).isEqualTo(Duration.ofMillis(PATIENCE + 1));
        assertThat(begin(5_000 + PATIENCE)).isNotNull();
    }

    @Test
    void knownWhenAcquiresOverlapForEverIsBounded() {
        begin(1L);
        for (long token = 1; token <= 3_000; token++) {
            begin(token);
            answers.answered(token);
        }

        assertThat(known()).hasSize(1_001).startsWith("2000", "2001").endsWith("3000");
    }

    /** The leases of the lost answer have token 1. */
    @Test
    void knownWhenAnAnswerIsLostDuringManyAcquiresDoesNotCoverItsLeases() {
        begin(1L);
        answers.lost(200L);
        for (long token = 2; token <= 10_001; token++) {
            begin(1L);
            answers.answered(token);
        }

        assertThat(begin(200L)).isNotNull();
        assertThat(known()).hasSize(10_001).startsWith("0", "2", "3");
    }

    @Test
    void knownWhenAnAnswerIsLostIsBoundedAndShrinksLater() {
        begin(1L);
        answers.lost(200L);
        begin(1L);
        for (long token = 2; token <= 20_000; token++) {
            begin(1L);
            answers.answered(token);
        }
        assertThat(known()).hasSize(10_001);

        answers.notTaken();
        begin(200L);
        reclaims.get(0).complete(null);
        answers.begin(201L, null);
        answers.answered(20_001);
        assertThat(known()).hasSize(1_001);
    }
}
