// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.sharding;

import io.delayqueue.TaskStoreException;
import io.delayqueue.TaskStoreTimeoutException;
import io.delayqueue.TaskStoreUnavailableException;
import io.delayqueue.internal.calls.CallThreads;
import io.delayqueue.internal.calls.TaskFailures;
import io.delayqueue.internal.store.LayoutChangedException;
import io.delayqueue.internal.store.LayoutVersion;
import io.delayqueue.internal.store.NewTask;
import io.delayqueue.internal.store.ScheduleReply;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.TaskMigratingException;
import io.delayqueue.internal.store.TaskStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes calls where tasks live, whatever the layout of their queue. A call that meets a newer layout, or a task that is on its
 * way to another shard, is made again, for as long as a call may take. Nothing blocks; futures complete on a thread of the
 * driver or of a timer.
 */
public final class ShardedTasks {

    private static final long PAUSE_MILLIS = 3;
    private static final int NO_HOME = -1;

    private final TaskStore store;
    private final QueueLayouts layouts;
    private final long patienceNanos;
    private final CallThreads threads;
    private final KeyedQueues keyed;
    private final Sweeps sweeps = new Sweeps();
    private final ConcurrentMap<String, Stamped> stamps = new ConcurrentHashMap<>();

    /**
     * @param patience how long a call is made again for a task that is being moved, or because the layout changes
     * @param threads where that happens after a pause, and time-outs
     */
    public ShardedTasks(TaskStore store, QueueLayouts layouts, Duration patience, CallThreads threads) {
        this.threads = threads;
        this.store = store;
        this.keyed = new KeyedQueues(store);
        this.layouts = layouts;
        this.patienceNanos = patience.toNanos();
    }

    public QueueLayout layout(String queue) {
        return layouts.of(queue);
    }

    /**
     * Stores tasks.
     *
     * @param tasks ids differ; at most {@link TaskStore#MAX_BATCH} to a shard
     * @return fails with {@link PartlyMigratedException} if only some are stored
     */
    public CompletableFuture<List<ScheduleReply>> schedule(String queue, List<NewTask> tasks) {
        return schedule(queue, tasks, (task, reply) -> {});
    }

    /** The same; tells of tasks that are stored while others have to wait. */
    public CompletableFuture<List<ScheduleReply>> schedule(String queue, List<NewTask> tasks, Stored early) {
        long deadline = System.nanoTime() + patienceNanos;
        CompletableFuture<?> noted = keyed.before(queue, tasks);
        if (noted != null) {
            return noted.exceptionallyCompose(
                            error -> CompletableFuture.failedFuture(TaskFailures.beforeAnyWasSent(unwrap(error))))
                    .thenCompose(ignored -> place(queue, tasks, List.of(), early, deadline));
        }
        QueueLayout layout = layouts.of(queue);
        int home = isAtRest(layout) ? commonHome(layout, tasks) : NO_HOME;
        if (home == NO_HOME) {
            return place(queue, tasks, List.of(), early, deadline);
        }
        return store.schedule(new Shard(queue, home), stamp(queue, layout), false, 0, tasks)
                .handle((replies, error) -> {
                    if (error == null) {
                        return replies.stream().allMatch(reply -> reply.state() == ScheduleReply.State.DONE)
                                ? CompletableFuture.completedFuture(replies)
                                : place(queue, tasks, replies, early, deadline);
                    }
                    Throwable cause = unwrap(error);
                    return cause instanceof LayoutChangedException
                            ? place(queue, tasks, List.of(), early, deadline)
                            : CompletableFuture.<List<ScheduleReply>>failedFuture(cause);
                })
                .thenCompose(Function.identity());
    }

    private CompletableFuture<List<ScheduleReply>> place(
            String queue, List<NewTask> tasks, List<ScheduleReply> known, Stored early, long deadline) {
        MigratingSchedule placing = new MigratingSchedule(store, queue, tasks, known, early);
        return againUntil(deadline, queue, placing::tryAll)
                .exceptionallyCompose(error -> CompletableFuture.failedFuture(placing.failure(unwrap(error))));
    }

    /** The shard that all tasks belong to; {@link #NO_HOME} if there is none. */
    private static int commonHome(QueueLayout layout, List<NewTask> tasks) {
        int home = layout.homeOf(tasks.get(0).routingKey());
        for (int i = 1; i < tasks.size(); i++) {
            if (layout.homeOf(tasks.get(i).routingKey()) != home) {
                return NO_HOME;
            }
        }
        return home;
    }

    private static boolean isAtRest(QueueLayout layout) {
        return !layout.isUnknown() && !layout.isTransition();
    }

    private LayoutVersion stamp(String queue, QueueLayout layout) {
        Stamped known = stamps.get(queue);
        if (known == null || known.layout() != layout) {
            known = new Stamped(layout, stamp(layout));
            stamps.put(queue, known);
        }
        return known.stamp();
    }

    /** Calls where a task may be that is known by its id. */
    public <R> CompletableFuture<R> byId(String queue, String id, TaskCall<R> call) {
        long deadline = System.nanoTime() + patienceNanos;
        QueueLayout layout = layouts.of(queue);
        TaskLookup<R> steps = new TaskLookup<>(queue, id, call, keyed, sweeps, deadline);
        if (!isAtRest(layout)) {
            return againUntil(deadline, queue, steps::under);
        }
        return call.in(new Shard(queue, layout.homeOf(id)), stamp(queue, layout))
                .handle((answer, error) -> {
                    if (error == null) {
                        return call.isFound(answer) || layout.shards() == 1
                                ? CompletableFuture.completedFuture(answer)
                                : againUntil(deadline, queue, steps.afterMiss(layout, answer)::under);
                    }
                    Throwable cause = unwrap(error);
                    return cause instanceof LayoutChangedException || cause instanceof TaskMigratingException
                            ? againUntil(deadline, queue, steps::under)
                            : CompletableFuture.<R>failedFuture(cause);
                })
                .thenCompose(Function.identity());
    }

    /** Makes an attempt under the layout in force; as long as it answers null, or that layout is not in force, another one. */
    public <R> CompletableFuture<R> again(String queue, Attempt<R> attempt) {
        CompletableFuture<R> result = new CompletableFuture<>();
        new Trying<>(queue, attempt, result, System.nanoTime() + patienceNanos).go();
        return result;
    }

    /** The same, which gives up at its deadline although calls are under way: several in turn may take longer than one may. */
    private <R> CompletableFuture<R> againUntil(long deadline, String queue, Attempt<R> attempt) {
        CompletableFuture<R> result = new CompletableFuture<>();
        Trying<R> trying = new Trying<>(queue, attempt, result, deadline);
        trying.go();
        if (!result.isDone()) {
            Future<?> end = threads.after(Math.max(1, deadline - System.nanoTime()), trying::giveUpLate);
            result.whenComplete((answer, error) -> end.cancel(false));
        }
        return result;
    }

    /** Hears of a task that is stored; may be told twice. */
    @FunctionalInterface
    public interface Stored {

        void at(int task, ScheduleReply reply);
    }

    /** One try under one layout. */
    @FunctionalInterface
    public interface Attempt<R> extends Function<QueueLayout, CompletableFuture<@Nullable R>> {}

    public static LayoutVersion stamp(QueueLayout layout) {
        return new LayoutVersion(layout.format());
    }

    public static Throwable unwrap(Throwable error) {
        Throwable unwrapped = error;
        while (unwrapped instanceof CompletionException && unwrapped.getCause() != null) {
            unwrapped = unwrapped.getCause();
        }
        return unwrapped;
    }

    /** The stored form of a layout is asked for with every call. */
    private record Stamped(QueueLayout layout, LayoutVersion stamp) {}

    private final class Trying<R> {

        private final String queue;
        private final Attempt<R> attempt;
        private final CompletableFuture<R> result;
        private final long deadline;
        private volatile boolean begun;
        private volatile boolean metAMove;

        Trying(String queue, Attempt<R> attempt, CompletableFuture<R> result, long deadline) {
            this.queue = queue;
            this.attempt = attempt;
            this.result = result;
            this.deadline = deadline;
        }

        void go() {
            if (!result.isDone()) {
                orFail(this::begin);
            }
        }

        private void begin() {
            QueueLayout layout = layouts.of(queue);
            if (layout.isUnknown()) {
                layouts.refresh(queue).whenComplete((read, error) -> {
                    if (error == null) {
                        orFail(() -> under(read));
                    } else {
                        result.completeExceptionally(unwrap(error));
                    }
                });
            } else {
                under(layout);
            }
        }

        /** Whatever goes wrong, somebody waits for the result. */
        private void orFail(Runnable step) {
            try {
                step.run();
            } catch (RuntimeException | Error ex) {
                result.completeExceptionally(ex);
            }
        }

        private void under(QueueLayout layout) {
            begun = true;
            CompletableFuture<@Nullable R> call;
            try {
                call = attempt.apply(layout);
            } catch (RuntimeException | Error ex) {
                call = CompletableFuture.failedFuture(ex);
            }
            call.whenComplete((answer, error) -> orFail(() -> answered(answer, error)));
        }

        private void answered(@Nullable R answer, @Nullable Throwable error) {
            Throwable cause = (error == null) ? null : unwrap(error);
            if (cause instanceof LayoutChangedException changed) {
                changed(changed);
            } else if (cause instanceof TaskMigratingException) {
                later(cause);
            } else if (cause != null) {
                result.completeExceptionally(cause);
            } else if (answer == null) {
                later(null);
            } else {
                result.complete(answer);
            }
        }

        private void changed(LayoutChangedException changed) {
            QueueLayout newer;
            try {
                newer = QueueLayout.parse(changed.layout());
            } catch (IllegalArgumentException ex) {
                result.completeExceptionally(new TaskStoreException(
                        "Queue '" + queue + "': a newer version of this library has changed its layout to one that this"
                                + " version cannot read; a part of the call may have run",
                        true,
                        changed));
                return;
            }
            layouts.adopt(queue, newer);
            if (System.nanoTime() - deadline < 0) {
                go();
            } else {
                giveUp(changed);
            }
        }

        private void later(@Nullable Throwable cause) {
            metAMove = true;
            if (System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS) - deadline >= 0) {
                giveUp(cause);
                return;
            }
            threads.after(TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS), this::go);
        }

        void giveUpLate() {
            if (metAMove) {
                giveUp(null);
            } else if (!begun) {
                result.completeExceptionally(new TaskStoreUnavailableException(
                        "Queue '" + queue
                                + "': Redis cannot be reached (spring.data.redis.*): its layout could not be read in"
                                + " time (delayqueue.redis.command-timeout); nothing was sent",
                        false,
                        null));
            } else {
                result.completeExceptionally(new TaskStoreTimeoutException(
                        "Queue '" + queue
                                + "': Redis did not answer in time (delayqueue.redis.command-timeout); the call"
                                + " may or may not have run",
                        true,
                        null));
            }
        }

        private void giveUp(@Nullable Throwable cause) {
            result.completeExceptionally(new TaskStoreUnavailableException(
                    "Queue '" + queue + "': its number of shards is being changed, and a task of this call has been on"
                            + " its way to another shard for as long as a call may take, as when the process that moved"
                            + " it has died. Make the call again",
                    true,
                    cause));
        }
    }
}
