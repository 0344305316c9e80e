// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import io.delayqueue.DelayQueueException;
import io.delayqueue.TaskStoreTimeoutException;
import io.delayqueue.internal.calls.BrokenCallException;
import io.delayqueue.internal.calls.SendPermit;
import io.delayqueue.internal.concurrent.Causes;
import io.delayqueue.internal.concurrent.DoublingBackOff;
import io.delayqueue.internal.concurrent.Guard;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.backoff.BackOff;
import org.springframework.util.backoff.BackOffExecution;

/**
 * A call of a script. Sends the script's hash, or its source if the server does not know the hash. If the server
 * temporarily refuses the call or the connection breaks, repeats it with a back-off within the time of the call. Every
 * script is safe to repeat, but a script whose second reply would differ is not repeated once it may have run.
 *
 * @param <T> the reply
 */
final class ScriptCall<T> {

    private static final Logger log = LoggerFactory.getLogger(ScriptCall.class);
    private static final BackOff BACK_OFF = DoublingBackOff.between(Duration.ofMillis(10), Duration.ofMillis(200));
    /** Number of times that a server may refuse the hash before the source is sent to it. */
    private static final int REFUSALS = 3;
    /** No attempt starts in the last eighth of the time. */
    private static final int LAST_PART = 8;

    private final ScriptRequest request;
    private final ScriptRunner runner;
    private final Supplier<CompletableFuture<? extends ScriptConnection>> connect;
    /** The permit of this call, which shows whether it may have run. */
    private final SendPermit permit;

    private final long deadline;
    /** The latest time for another attempt; a later one would hardly get a reply in time. */
    private final long lastTry;

    private final CompletableFuture<T> result = new CompletableFuture<>();
    private @Nullable BackOffExecution backOff;
    private int refusals;
    private boolean bounded;
    private volatile boolean waitsForRound;
    private volatile int replicas;
    /** The reason for the next attempt; null during an attempt. */
    private volatile @Nullable Throwable lastCause;

    /**
     * @param connect called before each attempt
     * @param permit the permit of the whole call, which is taken before each send
     */
    ScriptCall(
            ScriptRequest request,
            ScriptRunner runner,
            Supplier<CompletableFuture<? extends ScriptConnection>> connect,
            SendPermit permit) {
        this.request = request;
        this.runner = runner;
        this.connect = connect;
        this.permit = permit.part();
        long budget = runner.budget().toNanos();
        this.deadline = System.nanoTime() + budget;
        this.lastTry = deadline - budget / LAST_PART;
    }

    CompletableFuture<T> result() {
        return result;
    }

    ScriptRequest request() {
        return request;
    }

    /** Returns the number of replicas that confirmed the script's changes. */
    int replicas() {
        return replicas;
    }

    void noteReplicas(int count) {
        replicas = count;
    }

    void attempt() {
        try {
            CompletableFuture<? extends ScriptConnection> connection = connect.get();
            if (connection.isDone() && !connection.isCompletedExceptionally()) {
                ScriptConnection on = connection.join();
                answer(on, on.send(this, false), false);
            } else {
                boundByDeadline();
                connection.whenComplete((on, error) -> orFail(() -> connected(on, error)));
            }
        } catch (Throwable ex) {
            broken(ex);
        }
    }

    private void connected(@Nullable ScriptConnection on, @Nullable Throwable error) {
        if (error != null) {
            failed(null, Causes.of(error));
        } else if (!result.isDone()) {
            send(Objects.requireNonNull(on), false);
        }
    }

    private CompletionStage<T> send(ScriptConnection on, boolean text) {
        return answer(on, on.send(this, text), text);
    }

    private CompletionStage<T> answer(ScriptConnection on, CompletionStage<T> reply, boolean text) {
        return reply.whenComplete((value, error) -> {
            if (error == null) {
                result.complete(value);
                Guard.run(
                        log,
                        "Could not record a server's reply",
                        () -> runner.connections().noteAnswer(request.key()));
            } else {
                orFail(() -> refused(on, text, Causes.of(error)));
            }
        });
    }

    private void refused(ScriptConnection on, boolean text, Throwable cause) {
        if (!text && RedisErrors.isNoScript(cause)) {
            boundByDeadline();
            sendTextOnce(on);
        } else {
            failed(on, cause);
        }
    }

    private void sendTextOnce(ScriptConnection on) {
        ScriptRunner.Load load = runner.load(request);
        CompletableFuture<Void> mine = new CompletableFuture<>();
        CompletableFuture<Void> underWay = runner.loads().putIfAbsent(load, mine);
        if (underWay == null || ++refusals > REFUSALS) {
            // End the load even if this call is given up, because others wait for it.
            result.whenComplete((value, error) -> endLoad(load, mine));
            send(on, true).whenComplete((value, error) -> endLoad(load, mine));
            return;
        }
        lastCause = new RedisConnectionException("The server has lost its scripts, and did not accept them in time");
        underWay.thenRun(() -> orFail(() -> {
            if (!result.isDone()) {
                send(on, false);
            }
        }));
    }

    private void endLoad(ScriptRunner.Load load, CompletableFuture<Void> mine) {
        runner.loads().remove(load, mine);
        mine.complete(null);
    }

    /**
     * Sends the call now, unless its caller has stopped waiting. Only a {@link ScriptConnection} calls this.
     *
     * @param text whether to send the script's source
     */
    CompletionStage<T> dispatch(RedisScriptingAsyncCommands<byte[], byte[]> redis, boolean text) {
        if (!permit.take()) {
            boolean mayHaveRun = endsAfterItMayHaveRun();
            return CompletableFuture.failedFuture(new TaskStoreTimeoutException(
                    request.what() + ": the caller no longer waits; "
                            + (mayHaveRun ? "an earlier attempt may have run" : "nothing was sent"),
                    mayHaveRun,
                    lastCause));
        }
        lastCause = null;
        CompletionStage<T> reply;
        try {
            reply = text
                    ? request.script().byText(redis, request.keys(), request.args())
                    : request.script().byHash(redis, request.keys(), request.args());
        } catch (RuntimeException ex) {
            reply = CompletableFuture.failedFuture(ex);
        }
        return reply.whenComplete((value, error) -> {
            if (error != null) {
                giveBackUnlessRun(Causes.of(error));
            }
        });
    }

    /** Records that the call waits because replicas are being counted for earlier calls. */
    void waitForRound() {
        boundByDeadline();
        waitsForRound = true;
        permit.waits(this::tooLateForRound);
    }

    private TaskStoreTimeoutException tooLateForRound() {
        return new TaskStoreTimeoutException(
                request.what()
                        + ": Redis did not answer earlier calls in time "
                        + "(delayqueue.redis.command-timeout); nothing was sent",
                false,
                null);
    }

    private void giveBackUnlessRun(Throwable cause) {
        if (!RedisErrors.mayHaveRun(cause)) {
            boolean later = RedisErrors.isNotSent(cause) || RedisErrors.isTransientReply(cause);
            permit.giveBack(later ? () -> RedisErrors.translate(request.what(), cause, false) : null);
        }
    }

    private void failed(@Nullable ScriptConnection on, Throwable cause) {
        lastCause = cause;
        boolean again = (RedisErrors.isConnectionLost(cause) && request.answersAgain())
                || RedisErrors.isOverflow(cause)
                || (RedisErrors.isNotSent(cause) && runner.connections().noteUnsent(request.key(), cause))
                || RedisErrors.isTransientReply(cause);
        if (on != null) {
            on.replaceAfter(cause instanceof ReplicasUnknownException unknown ? unknown.reason() : cause);
        }
        long leftNanos = lastTry - System.nanoTime();
        if (again && leftNanos > 0) {
            boundByDeadline();
            runner.connections()
                    .timer()
                    .schedule(this::attempt, Math.min(nextPause(), leftNanos), TimeUnit.NANOSECONDS);
            return;
        }
        fail(cause, endsAfterItMayHaveRun());
    }

    private void fail(Throwable cause, boolean mayHaveRun) {
        DelayQueueException failure = RedisErrors.translate(request.what(), cause, mayHaveRun);
        if (result.completeExceptionally(failure)) {
            runner.failures().note(failure);
            if (RedisErrors.isTransientReply(cause)) {
                runner.connections().noteRefusal(request.key(), cause);
            }
        }
    }

    /** Fails the result with anything that the step throws, because a caller waits for the result. */
    private void orFail(Runnable step) {
        try {
            step.run();
        } catch (Throwable ex) {
            broken(ex);
        }
    }

    private void broken(Throwable cause) {
        boolean mayHaveRun = endsAfterItMayHaveRun();
        result.completeExceptionally(new BrokenCallException(
                request.what() + ": the call failed in this process"
                        + (mayHaveRun ? "; it may or may not have run" : ""),
                mayHaveRun,
                cause));
    }

    /** Ends the call, so that nothing more is sent. Returns whether an attempt may have run. */
    private boolean endsAfterItMayHaveRun() {
        permit.end();
        return !permit.isWithdrawn();
    }

    private long nextPause() {
        if (backOff == null) {
            backOff = BACK_OFF.start();
        }
        return TimeUnit.MILLISECONDS.toNanos(backOff.nextBackOff());
    }

    /** Sets a deadline for the whole call. Lettuce's time-out covers only the first command on an open connection. */
    private void boundByDeadline() {
        if (!bounded) {
            bounded = true;
            runner.connections().atDeadline(deadline, result, this::expire);
        }
    }

    private void expire() {
        if (!result.isDone()) {
            boolean mayHaveRun = endsAfterItMayHaveRun();
            fail(lastCause != null ? lastCause : whyNotAnswered(mayHaveRun), mayHaveRun);
        }
    }

    private Exception whyNotAnswered(boolean mayHaveRun) {
        if (mayHaveRun) {
            return new RedisCommandTimeoutException("No reply within the time of the call");
        }
        return waitsForRound ? tooLateForRound() : new RedisConnectionException("Not connected in time");
    }
}
