// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.TaskStoreException;
import io.delayqueue.internal.store.SendPermit;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever is thrown while a script is sent, the call ends. */
class ScriptCallTests {

    private final ScheduledExecutorService timer = ScriptCall.timer();

    @AfterEach
    void close() {
        timer.shutdownNow();
    }

    private enum Step {
        CONNECTION,
        SEND,
        FAILURE,
        ANSWER
    }

    @ParameterizedTest
    @EnumSource(names = "ANSWER", mode = EnumSource.Mode.EXCLUDE)
    void attemptWhenAStepThrowsAnErrorFailsWithIt(Step step) {
        Call call = new Call(step, CompletableFuture.completedFuture("connection"));
        call.attempt();
        assertFailed(call);
    }

    @ParameterizedTest
    @EnumSource(
            names = {"CONNECTION", "ANSWER"},
            mode = EnumSource.Mode.EXCLUDE)
    void attemptWhenAStepThrowsAnErrorOnceConnectedFailsWithIt(Step step) {
        CompletableFuture<String> connection = new CompletableFuture<>();
        Call call = new Call(step, connection);
        call.attempt();
        connection.complete("connection");
        assertFailed(call);
    }

    @Test
    void attemptWhenNotingTheAnswerThrowsIsAnsweredAllTheSame() {
        Call call = new Call(Step.ANSWER, CompletableFuture.completedFuture("connection"));
        call.attempt();
        assertThat(call.result()).isCompletedWithValue("value");
    }

    private static void assertFailed(Call call) {
        assertThat(call.result())
                .failsWithin(Duration.ofSeconds(2))
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(TaskStoreException.class)
                .withMessageStartingWith("queue 'orders', cancel 'a'")
                .withCauseInstanceOf(NoSuchMethodError.class);
    }

    private final class Call extends ScriptCall<String, String> {

        private final Step throwing;
        private final CompletableFuture<String> connection;
        private final ScriptLoads loads = new ScriptLoads();

        Call(Step throwing, CompletableFuture<String> connection) {
            super(Script.CANCEL, "queue 'orders', cancel 'a'", Duration.ofSeconds(60), timer, new SendPermit());
            this.throwing = throwing;
            this.connection = connection;
        }

        private void at(Step step) {
            if (step == throwing) {
                throw new NoSuchMethodError(step.name());
            }
        }

        @Override
        CompletableFuture<String> connection() {
            at(Step.CONNECTION);
            return connection;
        }

        @Override
        CompletionStage<String> sendHash(String on) {
            return sending(() -> {
                at(Step.SEND);
                return (throwing == Step.ANSWER) ? CompletableFuture.completedFuture("value") : refused();
            });
        }

        private static CompletableFuture<String> refused() {
            return CompletableFuture.failedFuture(new IllegalStateException("refused"));
        }

        @Override
        CompletionStage<String> sendText(String on) {
            return sendHash(on);
        }

        @Override
        ScriptLoads loads(String on) {
            return loads;
        }

        @Override
        void noteAnswer() {
            at(Step.ANSWER);
        }

        @Override
        void noteFailure(String on, Throwable cause) {
            at(Step.FAILURE);
        }
    }
}
