// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The clocks of the shards' servers, as far as answers tell them: how far each is ahead of this process's clock, between two
 * bounds. The server read its clock after a call was sent and before its answer arrived. The quickest way to the server
 * gives the upper bound, the quickest way back the lower one. When a clock was moved, or another server has another clock,
 * the bounds contradict each other and are learnt anew.
 *
 * <p>The lower bound gives each acquire the moment, by its server's clock, when its caller stops waiting. A server that stood
 * still executes later what waited in its sockets, and must not acquire tasks for a caller that is gone. The upper bound says
 * when to send a scan so that it reaches the server when a task is due.
 */
final class ServerClocks {

    private final long patienceMicros;
    private final Map<Shard, Ahead> ahead = new ConcurrentHashMap<>();

    /** @param patience how long an answer is awaited */
    ServerClocks(Duration patience) {
        this.patienceMicros = TimeUnit.NANOSECONDS.toMicros(patience.toNanos());
    }

    /** Returns the server's clock in epoch ms, less than a round trip early; {@code null} if it is not known. */
    @Nullable
    Long now(Shard shard) {
        Ahead known = ahead.get(shard);
        return (known == null) ? null : Long.valueOf((known.leastMicros() + localMicros()) / 1000);
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
     * Learns from an answer.
     *
     * @param micros the server's time as the script read it
     * @param offsetMillis what the script added to the server's clock
     * @param sentNanos when the call was sent, by {@link System#nanoTime}
     * @return when to send a call that reaches the server at this time, by {@link System#nanoTime}
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

    /** How far a server's clock is ahead of this process's. */
    private record Ahead(long leastMicros, long mostMicros) {

        Ahead and(Ahead now) {
            Ahead both = new Ahead(Math.max(leastMicros, now.leastMicros), Math.min(mostMicros, now.mostMicros));
            return both.leastMicros <= both.mostMicros ? both : now;
        }
    }
}
