// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import io.delayqueue.TaskStoreTimeoutException;
import io.delayqueue.internal.concurrent.Causes;
import io.delayqueue.internal.concurrent.DoublingBackOff;
import io.delayqueue.internal.concurrent.NamedThreads;
import io.delayqueue.internal.concurrent.Seam;
import io.delayqueue.internal.store.BrokenCallException;
import io.delayqueue.internal.store.SendPermit;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisConnectionException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.backoff.BackOff;
import org.springframework.util.backoff.BackOffExecution;

/**
 * One run of a script: by its hash, with its text where the server does not know it, and again, with back-off and
 * within the time of the call, where it was refused for now or the connection broke. Every script is safe to be sent
 * again; one whose answer would then be another is not, once it may have run.
 *
 * @param <C> what it is sent on
 * @param <R> what it answers
 */
abstract class ScriptCall<C, R> {

    private static final Logger log = LoggerFactory.getLogger(ScriptCall.class);
    private static final BackOff BACK_OFF = DoublingBackOff.between(Duration.ofMillis(10), Duration.ofMillis(200));
    /** A server that loses its scripts again and again gets the text. */
    private static final int REFUSALS = 3;

    private final Script script;
    private final String what;
    private final ScheduledExecutorService timer;
    private final SendPermit permit;
    private final long deadline;
    private final CompletableFuture<R> result = new CompletableFuture<>();
    private @Nullable BackOffExecution backOff;
    private int refusals;
    private boolean bounded;
    private volatile boolean sent;
    private volatile boolean mayHaveRun;
    private volatile @Nullable Throwable lastCause;

    /**
     * @param what the call, for messages: names the queue and the id
     * @param budget the time of the call, from now
     * @param permit taken each time that it is sent; withdrawn when nobody waits for it
     */
    ScriptCall(Script script, String what, Duration budget, ScheduledExecutorService timer, SendPermit permit) {
        this.script = script;
        this.what = what;
        this.timer = timer;
        this.permit = permit;
        this.deadline = System.nanoTime() + budget.toNanos();
    }

    /** For back-offs and time-outs. Its one thread ends when it has nothing to wait for. */
    static ScheduledExecutorService timer() {
        ScheduledThreadPoolExecutor timer =
                new ScheduledThreadPoolExecutor(1, NamedThreads.daemons("delayqueue-redis-timer-"));
        timer.setRemoveOnCancelPolicy(true);
        timer.setKeepAliveTime(10, TimeUnit.SECONDS);
        timer.allowCoreThreadTimeOut(true);
        return timer;
    }

    static void onNewThread(Runnable connecting) {
        Thread thread = new Thread(connecting, "delayqueue-redis-connect");
        thread.setDaemon(true);
        thread.start();
    }

    abstract CompletableFuture<C> connection();

    abstract CompletionStage<R> sendHash(C on);

    abstract CompletionStage<R> sendText(C on);

    /** Notes that a call could not be sent. Returns whether it may be tried again in its time. */
    boolean noteUnsent() {
        return true;
    }

    /** The server has answered, and the result is complete. */
    void noteAnswer() {}

    /** Of the server that a call on this goes to. */
    abstract ScriptLoads loads(C on);

    /** A chance to part with a connection that will not do better next time. */
    abstract void noteFailure(C on, Throwable cause);

    final CompletableFuture<R> result() {
        return result;
    }

    final void attempt() {
        orFail(this::connectAndSend);
    }

    /** Whatever is thrown, somebody waits for the result. */
    private void orFail(Runnable step) {
        try {
            step.run();
        } catch (Throwable ex) {
            result.completeExceptionally(new BrokenCallException(
                    what + ": the call failed in this process" + (sent ? "; it may or may not have run" : ""),
                    mayHaveRun || sent,
                    ex));
        }
    }

    private void connectAndSend() {
        CompletableFuture<C> connected = connection();
        if (!connected.isDone()) {
            boundByDeadline();
        }
        connected.whenComplete((on, error) -> orFail(() -> {
            if (error != null) {
                failed(Causes.of(error), null);
            } else if (!result.isDone()) {
                byHash(on);
            }
        }));
    }

    private void byHash(C on) {
        ScriptLoads.Load load = loads(on).of(script);
        int loaded = load.count();
        send(() -> sendHash(on), cause -> {
            if (RedisErrors.isNoScript(cause)) {
                boundByDeadline();
                unknown(on, load, loaded);
            } else {
                failed(cause, on);
            }
        });
    }

    private void unknown(C on, ScriptLoads.Load load, int loaded) {
        if (++refusals > REFUSALS) {
            send(() -> sendText(on), cause -> failed(cause, on));
            return;
        }
        ScriptLoads.Turn turn = load.next(loaded);
        if (!turn.mine()) {
            lastCause = new RedisConnectionException("The server has lost its scripts, and did not take them in time");
            turn.end()
                    .thenRun(() -> orFail(() -> {
                        if (!result.isDone()) {
                            byHash(on);
                        }
                    }));
            return;
        }
        // Also when this call is given up, for others wait.
        result.whenComplete((value, error) -> load.ended(turn, error == null));
        send(() -> sendText(on), cause -> {
            load.ended(turn, RedisErrors.isRefusal(cause));
            failed(cause, on);
        });
    }

    private void send(Supplier<CompletionStage<R>> command, Consumer<Throwable> onError) {
        if (!permit.take()) {
            result.completeExceptionally(new TaskStoreTimeoutException(
                    what + ": nobody waits for this call any longer; nothing was sent", false, lastCause));
            return;
        }
        CompletionStage<R> reply;
        sent = true;
        try {
            reply = command.get();
        } catch (RuntimeException ex) {
            sent = false;
            permit.giveBack();
            onError.accept(ex);
            return;
        }
        reply.whenComplete((value, error) -> {
            if (error == null) {
                result.complete(value);
                Seam.run(log, "That a server answers was not noted", this::noteAnswer);
                return;
            }
            Throwable cause = Causes.of(error);
            if (RedisErrors.isConnectionLost(cause)) {
                mayHaveRun = true;
            } else if (RedisErrors.isNotSent(cause)
                    || RedisErrors.isNoScript(cause)
                    || RedisErrors.isTransientReply(cause)) {
                permit.giveBack();
            }
            sent = false;
            orFail(() -> onError.accept(cause));
        });
    }

    private void failed(Throwable cause, @Nullable C on) {
        lastCause = cause;
        boolean again = (RedisErrors.isConnectionLost(cause) && script.answersAgain())
                || RedisErrors.isOverflow(cause)
                || (RedisErrors.isNotSent(cause) && noteUnsent())
                || RedisErrors.isTransientReply(cause);
        if (on != null) {
            noteFailure(on, cause);
        }
        long pauseNanos = again ? nextPause() : 0;
        if (again && System.nanoTime() + pauseNanos < deadline) {
            boundByDeadline();
            timer.schedule(this::attempt, pauseNanos, TimeUnit.NANOSECONDS);
            return;
        }
        result.completeExceptionally(RedisErrors.translate(what, cause, mayHaveRun));
    }

    private long nextPause() {
        if (backOff == null) {
            backOff = BACK_OFF.start();
        }
        return TimeUnit.MILLISECONDS.toNanos(backOff.nextBackOff());
    }

    /** A first command on an open connection has the driver's time-out; whatever takes longer needs this one. */
    final void boundByDeadline() {
        if (!bounded) {
            bounded = true;
            ScheduledFuture<?> expiry =
                    timer.schedule(this::expire, deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            result.whenComplete((value, error) -> expiry.cancel(false));
        }
    }

    private void expire() {
        if (!result.isDone()) {
            Throwable cause = sent
                    ? new RedisCommandTimeoutException("No answer within the time of the call")
                    : Objects.requireNonNullElseGet(
                            lastCause, () -> new RedisConnectionException("Not connected in time"));
            result.completeExceptionally(RedisErrors.translate(what, cause, mayHaveRun));
        }
    }
}
