// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.load;

import io.delayqueue.faults.history.HistoryWriter;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The clock of a Redis server, estimated from replies to {@code TIME}, which a thread requests several times per
 * second. While the server is silent, the estimate continues at the same rate. Safe for use by multiple threads; reading it
 * costs nothing.
 */
public final class RedisClock implements AutoCloseable {

    private static final long BETWEEN_MILLIS = 50;

    private final RedisClient client;
    private final Thread thread = new Thread(this::follow, "faults-clock");
    private volatile @Nullable Bounds bounds;
    private volatile boolean closed;

    public RedisClock(URI server) {
        RedisURI uri = RedisURI.create(server);
        uri.setTimeout(Duration.ofMillis(300));
        this.client = RedisClient.create(uri);
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Returns its current time, or slightly earlier, in microseconds since the epoch; null until the server has
     * answered.
     */
    public @Nullable Long earliestMicros() {
        Bounds now = bounds;
        return (now != null) ? (Long) (HistoryWriter.micros() + now.low()) : null;
    }

    /**
     * Returns its current time, or slightly later, in microseconds since the epoch; null until the server has answered.
     */
    public @Nullable Long latestMicros() {
        Bounds now = bounds;
        return (now != null) ? (Long) (HistoryWriter.micros() + now.high()) : null;
    }

    private void follow() {
        while (!closed) {
            try (StatefulRedisConnection<String, String> connection = client.connect()) {
                while (!closed) {
                    sample(connection);
                    TimeUnit.MILLISECONDS.sleep(BETWEEN_MILLIS);
                }
            } catch (RedisException ex) {
                // The server is down; the code below reconnects.
                if (!pause()) {
                    return;
                }
            } catch (InterruptedException ex) {
                return;
            }
        }
    }

    private static boolean pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(BETWEEN_MILLIS);
            return true;
        } catch (InterruptedException ex) {
            return false;
        }
    }

    private void sample(StatefulRedisConnection<String, String> connection) {
        long before = HistoryWriter.micros();
        List<String> time = connection.sync().time();
        long after = HistoryWriter.micros();
        long server = Long.parseLong(time.get(0)) * 1_000_000 + Long.parseLong(time.get(1));
        Bounds seen = new Bounds(server - after, server - before);
        Bounds known = bounds;
        bounds = (known != null) ? known.narrowedBy(seen) : seen;
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
    }

    /** The bounds of how far the server's clock is ahead of this process's clock. */
    private record Bounds(long low, long high) {

        /** Returns the intersection of both, or the latest bounds if the clock was set in between. */
        Bounds narrowedBy(Bounds seen) {
            long newLow = Math.max(low, seen.low);
            long newHigh = Math.min(high, seen.high);
            return newLow <= newHigh ? new Bounds(newLow, newHigh) : seen;
        }
    }
}
