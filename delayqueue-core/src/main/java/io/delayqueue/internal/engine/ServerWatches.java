// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.DelayQueueException;
import io.delayqueue.TaskStoreBusyException;
import io.delayqueue.TaskStoreTimeoutException;
import io.delayqueue.TaskStoreUnavailableException;
import io.delayqueue.internal.calls.BrokenCallException;
import io.delayqueue.internal.concurrent.Causes;
import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.TaskStore;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How each server of the store answers, for all triggers of a process. Safe for use by many threads. */
final class ServerWatches {

    private static final Logger log = LoggerFactory.getLogger(ServerWatches.class);

    /** A server that nobody has asked for a minute serves no shard here any more. */
    private static final long FORGOTTEN_AFTER = TimeUnit.MINUTES.toNanos(1);

    private final TaskStore store;
    private final Map<String, ServerWatch> byName = new ConcurrentHashMap<>();

    ServerWatches(TaskStore store) {
        this.store = store;
    }

    /** That of the server which holds the shard now, as far as is known. */
    ServerWatch of(Shard shard) {
        long now = System.nanoTime();
        return byName.computeIfAbsent(nameOf(shard), name -> new ServerWatch(now))
                .used(now);
    }

    private String nameOf(Shard shard) {
        try {
            return store.serverOf(shard);
        } catch (Throwable ex) {
            log.debug("Nobody knows which server holds {}", shard, ex);
            return TaskStore.ONLY_SERVER;
        }
    }

    /** Whether any is that somebody uses: one whose shards are elsewhere by now is forgotten. */
    boolean anySilent(long now) {
        byName.values().removeIf(server -> server.isUnused(now, FORGOTTEN_AFTER));
        for (ServerWatch server : byName.values()) {
            if (server.isSilent(now)) {
                return true;
            }
        }
        return false;
    }

    /** Nobody tells this any more that a server answers again. */
    void forget(Runnable onAnswer) {
        byName.values().forEach(server -> server.forget(onAnswer));
    }

    /** When the next of them will be silent if it does not answer before. */
    long nextSilence(long now) {
        long next = now + TimeUnit.DAYS.toNanos(1);
        for (ServerWatch server : byName.values()) {
            long at = server.silentAt(now);
            next = (at - next < 0) ? at : next;
        }
        return next;
    }

    /** Whether a call failed because the server did not answer it, as far as can be told. */
    static boolean isNoAnswer(@Nullable Throwable error) {
        return error instanceof TaskStoreTimeoutException || error instanceof TaskStoreUnavailableException;
    }

    /** Whether an error is how the server answered, as a refusal for want of rights is. */
    private static boolean isAnswer(Throwable error) {
        return error instanceof DelayQueueException
                && !(error instanceof TaskStoreBusyException)
                && !(error instanceof BrokenCallException);
    }

    /**
     * Ends a call. An error counts as an answer if it is one. What never left this process, or failed in it, says
     * nothing about the server: where too many calls are under way, that may be because it answers none. Never throws.
     */
    static void ended(ServerWatch.Call call, @Nullable Throwable error) {
        Throwable cause = (error == null) ? null : Causes.of(error);
        Guard.run(log, "How a server answers was not noted", () -> {
            if (isNoAnswer(cause)) {
                call.failed(System.nanoTime());
            } else if (cause == null || isAnswer(cause)) {
                call.answered(System.nanoTime());
            } else {
                call.inconclusive();
            }
        });
    }
}
