// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import io.delayqueue.internal.store.Shard;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What the clocks of the shards' servers were last heard to say, so that a call can name the moment by its server's
 * clock after which nobody awaits its answer. A server that stood still carries out then what waited in its sockets;
 * tasks that it gave to nobody would be lost to everyone for a whole lease.
 *
 * <p>A server whose clock has been moved, or another one with another clock, refuses one call and is heard with that
 * answer.
 */
final class ServerClocks {

    private final long patienceMicros;
    private final Map<Shard, Long> aheadMicros = new ConcurrentHashMap<>();

    /** @param patience how long an answer is awaited */
    ServerClocks(Duration patience) {
        this.patienceMicros = TimeUnit.NANOSECONDS.toMicros(patience.toNanos());
    }

    /** Returns the server's clock in epoch ms, less than a round trip early; {@code null} if it is not known. */
    @Nullable
    Long now(Shard shard) {
        Long ahead = aheadMicros.get(shard);
        return (ahead == null) ? null : Long.valueOf((ahead + localMicros()) / 1000);
    }

    /** Returns until when a call that begins now is awaited, by the server's clock; {@code null} if that is not known. */
    @Nullable
    Long endOfPatience(Shard shard) {
        Long now = now(shard);
        return (now == null) ? null : Long.valueOf(now + patienceMillis());
    }

    long patienceMillis() {
        return patienceMicros / 1000;
    }

    /**
     * Learns the server's clock from an answer. Each answer bounds how far that clock is ahead of this process's: the server
     * read it after the call was sent and before the answer arrived. The highest lower bound is kept, which the quickest
     * answer gave, until an upper bound contradicts it.
     *
     * @param micros the server's time as the script read it
     * @param offsetMillis what the script added to the server's clock
     * @param sentNanos when the call was sent, by {@link System#nanoTime}
     * @return when the server's clock said this, by {@link System#nanoTime}
     */
    long heard(Shard shard, long micros, long offsetMillis, long sentNanos) {
        long server = micros - offsetMillis * 1000;
        long least = server - localMicros();
        long most = server - TimeUnit.NANOSECONDS.toMicros(sentNanos);
        long ahead = aheadMicros.merge(shard, least, (known, now) -> known > most ? now : Math.max(known, now));
        return TimeUnit.MICROSECONDS.toNanos(server - ahead);
    }

    private static long localMicros() {
        return TimeUnit.NANOSECONDS.toMicros(System.nanoTime());
    }
}
