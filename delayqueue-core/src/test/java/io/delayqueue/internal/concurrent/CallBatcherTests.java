// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.internal.concurrent.CallBatcher.End;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Two calls at a time of three items; an item is its id and a kind, such as "a1", and a call has one kind. */
class CallBatcherTests {

    private static final Duration PAUSE = Duration.ofMillis(50);

    private final List<List<String>> sent = new ArrayList<>();
    private final List<CompletableFuture<End<String>>> open = new ArrayList<>();
    private final List<Runnable> later = new ArrayList<>();
    private final List<Duration> pauses = new ArrayList<>();
    private @Nullable Throwable refusal;
    private @Nullable RuntimeException thrown;
    private String givenUp = "none";
    private final CallBatcher<String> batcher =
            new CallBatcher<>("Sending", new ByKind(), 2, 3, 100, Runnable::run, this::afterPause);

    private void afterPause(Duration pause, Runnable step) {
        if (refusal instanceof Error error) {
            throw error;
        }
        if (refusal instanceof RuntimeException exception) {
            throw exception;
        }
        pauses.add(pause);
        later.add(step);
    }

    private void end(int call, String... again) {
        open.get(call).complete(new End<>(List.of(again), Duration.ZERO));
    }

    @Test
    void offerWhenCallsAreInProgressSendsTheOthersTogether() {
        List.of("a1", "b1", "c1", "d1", "e1", "f1").forEach(batcher::offer);
        assertThat(sent).containsExactly(List.of("a1"), List.of("b1"));

        end(0);
        end(1);

        assertThat(sent).endsWith(List.of("c1", "d1", "e1"), List.of("f1"));
    }

    @Test
    void offerWhenAnItemMayNotJoinSendsOthersBeforeItButNoneOfItsId() {
        batcher.offer("x1");
        batcher.offer("y1");
        batcher.offerAll(List.of("a1", "b2", "b1", "c1"));

        end(0);
        end(1);

        assertThat(sent).endsWith(List.of("a1", "c1"), List.of("b2"));
        end(3);
        assertThat(sent).endsWith(List.of("b1"));
    }

    @Test
    void offerWhenItemsAreLargeSendsNoMoreBytesThanACallMayHave() {
        batcher.offer("x1");
        batcher.offer("y1");
        batcher.offerAll(List.of("large-" + "l".repeat(80) + "1", "medium-" + "m".repeat(30) + "1", "s1"));

        end(0);

        assertThat(sent.get(2)).hasSize(2).last().isEqualTo("s1");
    }

    @Test
    void offerWhenAnItemIsGivenUpSendsItNever() {
        batcher.offer("x1");
        batcher.offer("y1");
        batcher.offerAll(List.of("a1", "b1"));
        givenUp = "a1";

        end(0);

        assertThat(sent).endsWith(List.of("b1"));
    }

    @Test
    void endWhenItemsAreToBeSentAgainSendsThemFirstAndAfterThePause() {
        batcher.offer("a1");
        batcher.offer("b1");
        batcher.offer("c1");

        open.get(0).complete(new End<>(List.of("a1"), PAUSE));
        assertThat(sent).hasSize(2);
        assertThat(pauses).containsExactly(PAUSE);
        later.get(0).run();

        assertThat(sent).endsWith(List.of("a1", "c1"));
    }

    @Test
    void endWhenNoPauseCanBeScheduledSendsAgainWithTheNextItem() {
        refusal = new OutOfMemoryError("injected");
        batcher.offer("a1");
        open.get(0).complete(new End<>(List.of("a1"), PAUSE));
        assertThat(sent).hasSize(1);

        batcher.offer("b1");

        assertThat(sent).endsWith(List.of("a1", "b1"));
    }

    @Test
    void endWhenTheApplicationHasStoppedSendsNothingMore() {
        refusal = new RejectedExecutionException("injected");
        batcher.offer("a1");
        batcher.offer("b1");
        open.get(0).complete(new End<>(List.of("a1"), PAUSE));
        open.get(1).complete(new End<>(List.of("b1"), PAUSE));

        batcher.offer("c1");

        assertThat(sent).hasSize(2);
    }

    @Test
    void sendWhenItThrowsIsTriedAgainAfterAPause() {
        thrown = new IllegalStateException("injected");
        batcher.offer("a1");
        thrown = null;
        assertThat(sent).isEmpty();

        later.get(0).run();

        assertThat(sent).containsExactly(List.of("a1"));
    }

    @Test
    void endWhenTheAnswerCannotBeProcessedGoesOnAfterAPause() {
        batcher.offer("a1");
        batcher.offer("b1");
        batcher.offer("c1");

        open.get(0).completeExceptionally(new StackOverflowError());
        assertThat(sent).hasSize(2);
        later.get(0).run();

        assertThat(sent).endsWith(List.of("c1"));
    }

    private final class ByKind implements CallBatcher.Calls<String> {

        @Override
        public String idOf(String item) {
            return item.substring(0, item.length() - 1);
        }

        @Override
        public int sizeOf(String item) {
            return item.length();
        }

        @Override
        public boolean isGivenUp(String item) {
            return item.equals(givenUp);
        }

        @Override
        public boolean mayJoin(String item, String first) {
            return item.charAt(item.length() - 1) == first.charAt(first.length() - 1);
        }

        @Override
        public CompletableFuture<End<String>> send(List<String> batch) {
            if (thrown != null) {
                throw thrown;
            }
            sent.add(List.copyOf(batch));
            CompletableFuture<End<String>> answer = new CompletableFuture<>();
            open.add(answer);
            return answer;
        }
    }
}
