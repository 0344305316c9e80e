// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.redis.RedisBytes;
import java.time.Duration;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The acquires of one shard whose replies were lost. Such a call may have acquired leases that no process knows, or may
 * still do so until its deadline in the script. After the deadline, the store reclaims all leases that have its name
 * and a token that no reply contained. Acquires continue as usual until then, and while other acquires are in progress.
 * Thread-safe.
 */
final class LostAnswers {

    private static final Logger log = LoggerFactory.getLogger(LostAnswers.class);
    private static final int MOST_KNOWN = 1000;
    /** Larger, because leases with a lower token than a forgotten one are never reclaimed. */
    private static final int MOST_KNOWN_WHILE_LOST = 10 * MOST_KNOWN;

    /** The minimum time until the next attempt to reclaim while other acquires are in progress. */
    private static final long SHORTEST_WAIT_MILLIS = 10;

    private final String shard;
    private final long patienceMillis;
    private final TreeSet<Long> known = new TreeSet<>();
    private long above;
    private int inProgress;
    private boolean anyLost;
    private @Nullable Long lostUntil;
    private @Nullable CompletableFuture<Void> reclaiming;

    /**
     * @param shard name of the shard, for messages
     * @param patienceMillis how long to wait for a reply
     */
    LostAnswers(String shard, long patienceMillis) {
        this.shard = shard;
        this.patienceMillis = patienceMillis;
    }

    /**
     * Starts an acquire, unless leases must be reclaimed first.
     *
     * @param serverMillis the server's clock, or {@code null} if unknown
     * @param reclaim reclaims all leases of lost replies; {@code null} to continue without that
     * @return the reclaim that must end before the acquire starts; {@code null} if the acquire has started
     */
    @Nullable
    CompletableFuture<Void> begin(@Nullable Long serverMillis, @Nullable Supplier<CompletableFuture<Void>> reclaim) {
        CompletableFuture<Void> begun;
        synchronized (this) {
            if (reclaiming != null) {
                return reclaiming;
            }
            if (reclaim == null || serverMillis == null || !mayReclaim(serverMillis)) {
                inProgress++;
                return null;
            }
            begun = new CompletableFuture<>();
            reclaiming = begun;
        }
        Guard.call(reclaim).whenComplete((done, error) -> {
            reclaimed(serverMillis, error);
            begun.complete(null);
        });
        return begun;
    }

    private boolean mayReclaim(long serverMillis) {
        if (inProgress > 0) {
            return false;
        }
        if (!anyLost) {
            forgetKnown();
            return false;
        }
        return serverMillis >= lostUntil(serverMillis);
    }

    private long lostUntil(long serverMillis) {
        Long until = lostUntil;
        if (until == null) {
            until = serverMillis + patienceMillis;
            lostUntil = until;
        }
        return until;
    }

    /**
     * Returns the time until an acquire should reclaim the leases of lost replies.
     *
     * @param serverMillis the server's clock, or {@code null} if unknown
     * @return {@code null} if no reply is lost
     */
    synchronized @Nullable Duration untilReclaim(@Nullable Long serverMillis) {
        if (!anyLost) {
            return null;
        }
        long left = (serverMillis == null) ? patienceMillis : lostUntil(serverMillis) + 1 - serverMillis;
        return Duration.ofMillis(Math.max(SHORTEST_WAIT_MILLIS, left));
    }

    /** Forgets tokens that are no longer needed. Earlier calls have lower tokens. */
    private void forgetKnown() {
        if (!known.isEmpty()) {
            above = known.last();
            known.clear();
        }
    }

    private synchronized void reclaimed(long serverMillis, @Nullable Throwable error) {
        reclaiming = null;
        if (error == null) {
            anyLost = false;
            lostUntil = null;
        } else {
            lostUntil = serverMillis + patienceMillis;
            Guard.tell(() -> log.warn(
                    "{}: a reply was lost, and its leases could not be released; the tasks may be delayed until the "
                            + "leases expire",
                    shard,
                    error));
        }
    }

    /** @param token token of the leases in the reply, 0 for none */
    synchronized void answered(long token) {
        inProgress--;
        if (token > 0) {
            known.add(token);
            while (known.size() > (anyLost ? MOST_KNOWN_WHILE_LOST : MOST_KNOWN)) {
                above = known.pollFirst();
            }
        }
    }

    synchronized void notTaken() {
        inProgress--;
    }

    /**
     * @param notAfter the time, by the server's clock, after which the call acquires nothing; {@code null} if unknown
     */
    synchronized void lost(@Nullable Long notAfter) {
        inProgress--;
        lostUntil = (notAfter == null || (anyLost && lostUntil == null))
                ? null
                : Long.valueOf(Math.max(notAfter, (lostUntil == null) ? 0 : lostUntil));
        anyLost = true;
    }

    /** Returns first a token, such that no lease up to it is lost, and then all higher known tokens. */
    synchronized byte[][] knownTokens() {
        byte[][] tokens = new byte[known.size() + 1][];
        tokens[0] = RedisBytes.bytes(above);
        int at = 1;
        for (Long token : known) {
            tokens[at++] = RedisBytes.bytes(token);
        }
        return tokens;
    }
}
