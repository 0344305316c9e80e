// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import io.delayqueue.faults.clock.MovableClock;
import io.delayqueue.test.server.RedisServer;
import java.time.Duration;
import java.util.List;

/** Like {@link StandaloneServers}, with an embedded Redis whose clock can be set. */
public class ClockServers extends StandaloneServers {

    private static final Duration OFF_AT_MOST = Duration.ofSeconds(2);

    private final MovableClock clock;

    /** @throws IllegalStateException if the clock cannot be set on this machine */
    public ClockServers() {
        this(new MovableClock());
    }

    private ClockServers(MovableClock clock) {
        super(configured(clock.applyTo(RedisServer.embedded())).start());
        this.clock = clock;
    }

    /**
     * Sets the server's clock to the time of day plus this offset.
     *
     * @throws IllegalStateException if the server then reports another time
     */
    public void moveClock(Duration offset) {
        clock.moveTo(offset);
        List<Object> time = admin().call("TIME");
        long seconds = Long.parseLong(String.valueOf(time.get(0)));
        Duration seen = Duration.ofMillis(seconds * 1_000 - System.currentTimeMillis());
        if (seen.minus(offset).abs().compareTo(OFF_AT_MOST) > 0) {
            throw new IllegalStateException(
                    "The clock of " + redis() + " was moved by " + seen + " instead of " + offset);
        }
    }

    @Override
    public void close() {
        super.close();
        clock.close();
    }
}
