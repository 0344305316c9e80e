// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import io.delayqueue.DelayQueueException;
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
    /** A try that begins in the last such part of the time would hardly be answered within it. */
    private static final int LAST_PART = 8;

    private final Script script;
    private final String what;
    private final ScheduledExecutorService timer;
    /** This one's own, so that it knows whether it may have run itself. */
    private final SendPermit permit;

    private final long deadline;
    /** When it is too late to send it again: it would only end without an answer, and nobody knew whether it ran. */
    private final long lastTry;

    private final CompletableFuture<R> result = new CompletableFuture<>();
    private @Nullable BackOffExecution backOff;
    private int refusals;
    private boolean bounded;
    /** Why it waits to be sent again; null while it is under way. */
    private volatile @Nullable Throwable lastCause;

    /**
     * @param what the call, for messages: names the queue and the id
     * @param budget the time of the call, from now
     * @param permit of the call that this is or a part of; taken each time that it is sent
     */
    ScriptCall(Script script, String what, Duration budget, ScheduledExecutorService timer, SendPermit permit) {
        this.script = script;
        this.what = what;
        this.timer = timer;
        this.permit = permit.part();
        this.deadline = System.nanoTime() + budget.toNanos();
        this.lastTry = deadline - budget.toNanos() / LAST_PART;
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

    /** Sends it by {@link #sending}, now or when it is its turn. */
    abstract CompletionStage<R> sendHash(C on);

    /** Sends it by {@link #sending}, now or when it is its turn. */
    abstract CompletionStage<R> sendText(C on);

    /** Why it was not sent in its time, if no try has failed. */
    Throwable unsent() {
        return new RedisConnectionException("Not connected in time");
    }

    /** Notes that a call could not be sent. Returns whether it may be tried again in its time. */
    boolean noteUnsent() {
        return true;
    }

    /** The server has answered, and the result is complete. */
    void noteAnswer() {}

    /** The call has failed for good. */
    void noteFailed(DelayQueueException failure) {}

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
            boolean mayHaveRun = endsAfterItMayHaveRun();
            result.completeExceptionally(new BrokenCallException(
                    what + ": the call failed in this process" + (mayHaveRun ? "; it may or may not have run" : ""),
                    mayHaveRun,
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
        command.get().whenComplete((value, error) -> {
            if (error == null) {
                result.complete(value);
                Seam.run(log, "That a server answers was not noted", this::noteAnswer);
            } else {
                orFail(() -> onError.accept(Causes.of(error)));
            }
        });
    }

    /** Sends a command now, unless nobody waits any longer. Throws no exceptions but errors. */
    final <T> CompletionStage<T> sending(Supplier<CompletionStage<T>> command) {
        if (!permit.take()) {
            boolean mayHaveRun = endsAfterItMayHaveRun();
            return CompletableFuture.failedFuture(new TaskStoreTimeoutException(
                    what + ": nobody waits for this call any longer; "
                            + (mayHaveRun ? "an earlier try of it may have run" : "nothing was sent"),
                    mayHaveRun,
                    lastCause));
        }
        lastCause = null;
        CompletionStage<T> reply;
        try {
            reply = command.get();
        } catch (RuntimeException ex) {
            reply = CompletableFuture.failedFuture(ex);
        }
        return reply.whenComplete((value, error) -> {
            if (error != null) {
                giveBackUnlessRun(Causes.of(error));
            }
        });
    }

    private void giveBackUnlessRun(Throwable cause) {
        if (!RedisErrors.mayHaveRun(cause)) {
            boolean later = RedisErrors.isNotSent(cause) || RedisErrors.isTransientReply(cause);
            permit.giveBack(later ? () -> RedisErrors.translate(what, cause, false) : null);
        }
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
        long leftNanos = lastTry - System.nanoTime();
        if (again && leftNanos > 0) {
            long pauseNanos = Math.min(nextPause(), leftNanos);
            boundByDeadline();
            timer.schedule(this::attempt, pauseNanos, TimeUnit.NANOSECONDS);
            return;
        }
        fail(cause, endsAfterItMayHaveRun());
    }

    private void fail(Throwable cause, boolean mayHaveRun) {
        DelayQueueException failure = RedisErrors.translate(what, cause, mayHaveRun);
        if (result.completeExceptionally(failure)) {
            noteFailed(failure);
        }
    }

    /** Nothing more is sent. Answers whether something was that may have run. */
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
            boolean mayHaveRun = endsAfterItMayHaveRun();
            Throwable cause = lastCause;
            if (cause == null) {
                cause = mayHaveRun
                        ? new RedisCommandTimeoutException("No answer within the time of the call")
                        : unsent();
            }
            fail(cause, mayHaveRun);
        }
    }
}
