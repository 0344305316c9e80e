// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.delayqueue.TaskStoreBusyException;
import io.delayqueue.TaskStoreException;
import io.delayqueue.TaskStoreTimeoutException;
import io.delayqueue.internal.calls.SendPermit;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A call always knows whether it was sent, and is not sent when no caller waits any longer. */
class ScriptCallPermitTests {

    private final HeldTimer timer = new HeldTimer();
    private final SendPermit permit = new SendPermit();
    private final CompletableFuture<ScriptConnection> connection = new CompletableFuture<>();
    private final Queue<CompletableFuture<String>> replies = new ArrayDeque<>();
    private final List<String> sent = new ArrayList<>();
    private Runnable beforeSending = () -> {};
    private final ScriptCall<String> call = call();

    @AfterEach
    void close() {
        timer.shutdownNow();
    }

    @Test
    void withdrawWhenTheCallWaitsForItsConnectionKeepsItFromBeingSent() {
        call.attempt();

        assertThat(permit.withdraw()).isTrue();
        connection.complete(new Connection());

        assertThat(sent).isEmpty();
        assertNotApplied();
    }

    @Test
    void withdrawWhenTheCallIsUnderWayIsTooLate() {
        replies.add(new CompletableFuture<>());
        connection.complete(new Connection());
        call.attempt();

        assertThat(permit.withdraw()).isFalse();
        assertThat(permit.isWithdrawn()).isFalse();
    }

    @Test
    void withdrawWhenTheServerSaidThatItDidNotRunTheCallKeepsItFromBeingSentAgain() {
        replies.add(CompletableFuture.failedFuture(new RedisCommandExecutionException("LOADING the dataset")));
        connection.complete(new Connection());
        call.attempt();

        assertThat(permit.withdraw()).isTrue();
        timer.runAll();

        assertThat(sent).hasSize(1);
        assertNotApplied();
    }

    @Test
    void withdrawWhenTheDriverTookNothingKeepsItFromBeingSentAgain() {
        replies.add(
                CompletableFuture.failedFuture(new RedisException("Currently not connected. Commands are rejected.")));
        connection.complete(new Connection());
        call.attempt();

        assertThat(permit.withdraw()).isTrue();
        timer.runAll();

        assertThat(sent).hasSize(1);
        assertNotApplied();
    }

    @Test
    void withdrawWhenTheConnectionBrokeUnderTheCallIsTooLateAlsoAfterARefusal() {
        replies.add(CompletableFuture.failedFuture(new RedisException("Connection reset by peer")));
        replies.add(CompletableFuture.failedFuture(new RedisCommandExecutionException("LOADING the dataset")));
        connection.complete(new Connection());
        call.attempt();
        assertThat(permit.withdraw()).isFalse();

        timer.runAll();

        assertThat(sent).hasSize(2);
        assertThat(permit.withdraw()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SHARDING 1:5:4:4:0",
                "MIGRATING a",
                "DUETIME",
                "OOM command not allowed when used memory > 'maxmemory'",
                "NOPERM no permissions to run the 'evalsha' command",
                "ERR unknown command"
            })
    void withdrawWhenTheServerRefusedTheCallSucceedsForItDidNotRun(String reply) {
        replies.add(CompletableFuture.failedFuture(new RedisCommandExecutionException(reply)));
        connection.complete(new Connection());
        call.attempt();

        assertThat(call.result()).isCompletedExceptionally();
        assertThat(permit.withdraw()).isTrue();
    }

    @Test
    void withdrawWhenTheDriverGotNoAnswerInTimeIsTooLate() {
        replies.add(CompletableFuture.failedFuture(new RedisCommandTimeoutException("late")));
        connection.complete(new Connection());
        call.attempt();

        assertThat(call.result()).isCompletedExceptionally();
        assertThat(permit.withdraw()).isFalse();
    }

    @Test
    void withdrawWhenEachTryWasRefusedLeavesTheReason() {
        replies.add(CompletableFuture.failedFuture(RedisErrors.queueFull(2)));
        connection.complete(new Connection());
        call.attempt();

        assertThat(permit.reason())
                .isInstanceOfSatisfying(
                        TaskStoreBusyException.class,
                        ex -> assertThat(ex.mayHaveBeenApplied()).isFalse());
    }

    @Test
    void attemptWhenItsTimeIsOverJustBeforeItIsSentIsNotSent() {
        beforeSending = timer::expire;
        call.attempt();

        connection.complete(new Connection());

        assertThat(sent).isEmpty();
        assertNotApplied();
    }

    @Test
    void attemptWhenItsTimeIsOverJustAfterItWasSentSaysThatItMayHaveRun() {
        replies.add(new CompletableFuture<>());
        call.attempt();

        connection.complete(new Connection());
        timer.expire();

        assertThat(sent).hasSize(1);
        assertThat(call.result())
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOfSatisfying(
                        TaskStoreTimeoutException.class,
                        ex -> assertThat(ex.mayHaveBeenApplied()).isTrue());
    }

    private void assertNotApplied() {
        assertThat(call.result())
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOfSatisfying(
                        TaskStoreException.class,
                        ex -> assertThat(ex.mayHaveBeenApplied()).isFalse());
    }

    /** Runs what waits for its time when the test says. */
    private static final class HeldTimer extends ScheduledThreadPoolExecutor {

        private final Queue<Runnable> pauses = new ArrayDeque<>();
        private final Queue<Runnable> expiries = new ArrayDeque<>();

        HeldTimer() {
            super(1);
        }

        @Override
        public ScheduledFuture<?> schedule(Runnable step, long delay, TimeUnit unit) {
            pauses.add(step);
            return super.schedule(() -> {}, 1, TimeUnit.DAYS);
        }

        void expire() {
            expiries.remove().run();
        }

        void runAll() {
            pauses.remove().run();
        }
    }

    private ScriptCall<String> call() {
        RedisConnections connections = mock(RedisConnections.class);
        when(connections.timer()).thenReturn(timer);
        doAnswer(call -> timer.expiries.add(call.getArgument(2)))
                .when(connections)
                .atDeadline(anyLong(), any(), any());
        when(connections.noteUnsent(any(), any())).thenReturn(true);
        return new ScriptCall<>(
                ScriptRequest.of(
                        Script.SCHEDULE, new RedisKeys("dq").ofShard("orders", 0), "queue 'orders', schedule 'a'"),
                new ScriptRunner(connections, Duration.ofSeconds(60), Duration.ofSeconds(1)),
                () -> connection,
                permit);
    }

    private final class Connection implements ScriptConnection {

        @Override
        public <T> CompletionStage<T> send(ScriptCall<T> call, boolean text) {
            beforeSending.run();
            return call.dispatch(
                    FakeRedis.answering(() -> {
                        sent.add(text ? "text" : "hash");
                        return replies.remove();
                    }),
                    text);
        }

        @Override
        public void replaceAfter(Throwable failure) {}
    }
}
