// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.delayqueue.TaskStoreException;
import io.delayqueue.internal.calls.SendPermit;
import io.lettuce.core.RedisCommandExecutionException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A call ends, whatever is thrown while its script is sent. */
class ScriptCallTests {

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

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
        ScriptCall<String> call = call(step, CompletableFuture.completedFuture(new Connection(step)));
        call.attempt();
        assertFailed(call);
    }

    @ParameterizedTest
    @EnumSource(
            names = {"CONNECTION", "ANSWER"},
            mode = EnumSource.Mode.EXCLUDE)
    void attemptWhenAStepThrowsAnErrorOnceConnectedFailsWithIt(Step step) {
        CompletableFuture<ScriptConnection> connection = new CompletableFuture<>();
        ScriptCall<String> call = call(step, connection);
        call.attempt();
        connection.complete(new Connection(step));
        assertFailed(call);
    }

    @Test
    void attemptWhenNotingTheAnswerThrowsIsAnsweredAllTheSame() {
        ScriptCall<String> call = call(Step.ANSWER, CompletableFuture.completedFuture(new Connection(Step.ANSWER)));
        call.attempt();
        assertThat(call.result()).isCompletedWithValue("value");
    }

    @Test
    void attemptWhenTheReplicasCouldNotBeCountedLetsTheConnectionKnowTheReason() {
        Throwable demoted = new RedisCommandExecutionException("READONLY You can't write against a read only replica.");
        CompletableFuture<Throwable> told = new CompletableFuture<>();
        ScriptConnection connection = new ScriptConnection() {

            @Override
            public <T> CompletionStage<T> send(ScriptCall<T> call, boolean text) {
                return CompletableFuture.failedFuture(new ReplicasUnknownException(demoted));
            }

            @Override
            public void replaceAfter(Throwable failure) {
                told.complete(failure);
            }
        };

        call(Step.ANSWER, CompletableFuture.completedFuture(connection)).attempt();

        assertThat(told).isCompletedWithValue(demoted);
    }

    private static void assertFailed(ScriptCall<String> call) {
        assertThat(call.result())
                .failsWithin(Duration.ofSeconds(2))
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(TaskStoreException.class)
                .withMessageStartingWith("queue 'orders', cancel 'a'")
                .withCauseInstanceOf(NoSuchMethodError.class);
    }

    private ScriptCall<String> call(Step throwing, CompletableFuture<ScriptConnection> connection) {
        RedisConnections connections = mock(RedisConnections.class);
        when(connections.timer()).thenReturn(timer);
        doThrow(new NoSuchMethodError("ANSWER")).when(connections).noteAnswer(any());
        return new ScriptCall<>(
                ScriptRequest.of(Script.CANCEL, new RedisKeys("dq").ofShard("orders", 0), "queue 'orders', cancel 'a'"),
                new ScriptRunner(connections, Duration.ofSeconds(60), Duration.ofSeconds(1)),
                () -> {
                    throwAt(Step.CONNECTION, throwing);
                    return connection;
                },
                new SendPermit());
    }

    private static void throwAt(Step step, Step throwing) {
        if (step == throwing) {
            throw new NoSuchMethodError(step.name());
        }
    }

    private record Connection(Step throwing) implements ScriptConnection {

        @Override
        public <T> CompletionStage<T> send(ScriptCall<T> call, boolean text) {
            return call.dispatch(
                    FakeRedis.answering(() -> {
                        throwAt(Step.SEND, throwing);
                        return (throwing == Step.ANSWER)
                                ? CompletableFuture.completedFuture("value")
                                : CompletableFuture.failedFuture(new IllegalStateException("refused"));
                    }),
                    text);
        }

        @Override
        public void replaceAfter(Throwable failure) {
            throwAt(Step.FAILURE, throwing);
        }
    }
}
