// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * The scripts that are being sent with their text, by server. A server that has lost its scripts refuses all pending
 * calls: a single call sends the text, the others wait for it. Thread-safe.
 */
final class ScriptLoads {

    private final ConcurrentMap<Load, CompletableFuture<Void>> loads = new ConcurrentHashMap<>();

    /**
     * Starts a load, unless another is in progress.
     *
     * @param mine completed by {@link #end}
     * @return the load in progress, or {@code null} if the caller must send the text
     */
    @Nullable
    CompletableFuture<Void> begin(Load load, CompletableFuture<Void> mine) {
        return loads.putIfAbsent(load, mine);
    }

    void end(Load load, CompletableFuture<Void> mine) {
        loads.remove(load, mine);
        mine.complete(null);
    }

    record Load(String server, Script script) {}
}
