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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The state of each server of the store, for all triggers of a process. Thread-safe. */
final class ServerWatches {

    private static final Logger log = LoggerFactory.getLogger(ServerWatches.class);

    /** For this long after its last call, a server counts as having shards. */
    private static final long FORGOTTEN_AFTER = TimeUnit.MINUTES.toNanos(1);

    private final TaskStore store;
    private final Map<String, ServerWatch> byName = new ConcurrentHashMap<>();

    ServerWatches(TaskStore store) {
        this.store = store;
    }

    /** Returns the watch of the server that has the shard now, as far as this process knows. */
    ServerWatch of(Shard shard) {
        return of(() -> store.serverOf(shard), shard);
    }

    /** Returns the watch of the server that has the rate of a queue now, as far as this process knows. */
    ServerWatch ofRate(String queue) {
        return of(() -> store.serverOf(queue), queue);
    }

    private ServerWatch of(Supplier<String> server, Object what) {
        long now = System.nanoTime();
        return byName.computeIfAbsent(nameOf(server, what), name -> new ServerWatch(now))
                .used(now);
    }

    private static String nameOf(Supplier<String> server, Object what) {
        try {
            return server.get();
        } catch (Throwable ex) {
            log.debug("The server of {} is unknown", what, ex);
            return TaskStore.ONLY_SERVER;
        }
    }

    /** Returns whether any server in use is silent. Forgets servers whose shards have moved. */
    boolean anySilent(long now) {
        byName.values().removeIf(server -> server.isUnused(now, FORGOTTEN_AFTER));
        for (ServerWatch server : byName.values()) {
            if (server.isSilent(now)) {
                return true;
            }
        }
        return false;
    }

    /** Removes a callback that was registered for recovered servers. */
    void forget(Runnable onAnswer) {
        byName.values().forEach(server -> server.forget(onAnswer));
    }

    /** Returns the time when the next server will be silent unless it answers. */
    long nextSilence(long now) {
        long next = now + TimeUnit.DAYS.toNanos(1);
        for (ServerWatch server : byName.values()) {
            long at = server.silentAt(now);
            next = (at - next < 0) ? at : next;
        }
        return next;
    }

    /** Returns whether a call failed because the server did not answer. */
    static boolean isNoAnswer(@Nullable Throwable error) {
        return error instanceof TaskStoreTimeoutException || error instanceof TaskStoreUnavailableException;
    }

    /** Returns whether an error is a reply of the server, for example a refusal for missing permissions. */
    private static boolean isAnswer(Throwable error) {
        return error instanceof DelayQueueException
                && !(error instanceof TaskStoreBusyException)
                && !(error instanceof BrokenCallException);
    }

    /**
     * Ends a call. An error that the server sent counts as a reply. A failure within this process, such as too many
     * calls in progress, tells nothing about this server. Never throws.
     */
    static void ended(ServerWatch.Call call, @Nullable Throwable error) {
        Throwable cause = (error == null) ? null : Causes.of(error);
        Guard.run(log, "Could not record a server's reply", () -> {
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
