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

    /** Returns the server's clock in epoch ms, at most a round trip early; {@code null} if it is not known. */
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
     * An answer has come.
     *
     * @param micros the server's time as the script told it, 0 for none
     * @param offsetMillis what the script added to the server's clock
     */
    void heard(Shard shard, long micros, long offsetMillis) {
        if (micros > 0) {
            aheadMicros.put(shard, micros - offsetMillis * 1000 - localMicros());
        }
    }

    private static long localMicros() {
        return TimeUnit.NANOSECONDS.toMicros(System.nanoTime());
    }
}
