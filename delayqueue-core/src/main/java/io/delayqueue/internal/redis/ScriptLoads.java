// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * The scripts that are being sent with their text, by server. A server that has lost its scripts refuses all pending calls:
 * one of them sends the text, the others wait for it. Safe for use by many threads.
 */
final class ScriptLoads {

    private final ConcurrentMap<Load, CompletableFuture<Void>> loads = new ConcurrentHashMap<>();

    /**
     * Begins a load, unless one is under way.
     *
     * @param mine completed by {@link #end}
     * @return the one that is under way, or {@code null} if the caller is to send the text
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
