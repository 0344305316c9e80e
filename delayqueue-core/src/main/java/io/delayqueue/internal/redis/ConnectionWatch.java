// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import io.delayqueue.internal.concurrent.Seam;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after the connection to the one server, from the moment it is lost until it is open again, whether calls are made
 * or not. Does not block.
 */
final class ConnectionWatch implements RedisConnectionStateListener {

    private static final Logger log = LoggerFactory.getLogger(ConnectionWatch.class);

    /** Between two looks, and before the first one. */
    static final Duration PAUSE = Duration.ofMillis(250);

    private final ScheduledExecutorService timer;
    private final BooleanSupplier look;
    private final AtomicBoolean watching = new AtomicBoolean();

    /** @param look does what is to be done about a connection that is not open; false when there is nothing to look after */
    ConnectionWatch(ScheduledExecutorService timer, BooleanSupplier look) {
        this.timer = timer;
        this.look = look;
    }

    @Override
    public void onRedisDisconnected(RedisChannelHandler<?, ?> connection) {
        begin();
    }

    /** Begins to look, if it does not do so yet. */
    void begin() {
        if (watching.compareAndSet(false, true)) {
            try {
                timer.schedule(this::look, PAUSE.toNanos(), TimeUnit.NANOSECONDS);
            } catch (Throwable ex) {
                // so that the next loss is looked after
                watching.set(false);
                throw ex;
            }
        }
    }

    private void look() {
        // Before the look, so that no loss goes unnoticed that comes after it.
        watching.set(false);
        Seam.run(log, "The connection to Redis was not looked after", () -> {
            if (look.getAsBoolean()) {
                begin();
            }
        });
    }
}
