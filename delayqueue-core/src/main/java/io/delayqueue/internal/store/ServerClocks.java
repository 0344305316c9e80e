// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Estimates how far the clock of each shard's server is ahead of this process's clock. Each reply contains the server's
 * time, which the script read after the call was sent and before the reply arrived. The estimate is an interval: the
 * fastest request gives the upper bound, the fastest reply the lower bound. If a clock is changed or another server
 * takes over, the bounds contradict each other, and a new estimate starts.
 *
 * <p>From the lower bound follows when, by the server's clock, the caller of an acquire stops waiting. A server
 * that was frozen runs the calls in its socket buffers when it continues, and must not acquire tasks for a caller that
 * has given up. The upper bound gives the time to send a scan so that it reaches the server when a task is due.
 */
final class ServerClocks {

    private final long patienceMicros;
    private final Map<Shard, Ahead> ahead = new ConcurrentHashMap<>();

    /** @param patience how long to wait for a reply */
    ServerClocks(Duration patience) {
        this.patienceMicros = TimeUnit.NANOSECONDS.toMicros(patience.toNanos());
    }

    /** Returns the server's time in epoch milliseconds, at most one round trip too low; {@code null} if unknown. */
    @Nullable
    Long now(Shard shard) {
        Ahead known = ahead.get(shard);
        return (known == null) ? null : Long.valueOf((known.leastMicros() + localMicros()) / 1000);
    }

    /**
     * Returns when, by the server's clock, the caller of a call that starts now stops waiting; {@code null} if
     * unknown.
     */
    @Nullable
    Long endOfPatience(Shard shard) {
        Long now = now(shard);
        return (now == null) ? null : Long.valueOf(now + patienceMillis());
    }

    long patienceMillis() {
        return patienceMicros / 1000;
    }

    /**
     * Updates the estimate from a reply.
     *
     * @param micros the server's time that the script read
     * @param offsetMillis offset that the script added to the server's clock
     * @param sentNanos time when the call was sent, by {@link System#nanoTime}
     * @return time when a call must be sent to reach the server at that time, by {@link System#nanoTime}
     */
    long heard(Shard shard, long micros, long offsetMillis, long sentNanos) {
        long server = micros - offsetMillis * 1000;
        Ahead now = new Ahead(server - localMicros(), server - TimeUnit.NANOSECONDS.toMicros(sentNanos));
        Ahead known = ahead.merge(shard, now, Ahead::and);
        return TimeUnit.MICROSECONDS.toNanos(server - known.mostMicros());
    }

    private static long localMicros() {
        return TimeUnit.NANOSECONDS.toMicros(System.nanoTime());
    }

    /** The distance of a server's clock from this process's clock. */
    private record Ahead(long leastMicros, long mostMicros) {

        Ahead and(Ahead now) {
            Ahead both = new Ahead(Math.max(leastMicros, now.leastMicros), Math.min(mostMicros, now.mostMicros));
            return both.leastMicros <= both.mostMicros ? both : now;
        }
    }
}
