// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.relay;

import io.delayqueue.internal.jdbc.outbox.OutboxTable;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/**
 * Starts the relay with the application, or with the first use of the outbox if that is later. An application that does not use the
 * outbox needs no tables and has no relay.
 */
public final class OutboxStart implements SmartLifecycle {

    /** Stops after those who schedule, such as web servers and handlers. */
    private static final int PHASE = 1;

    private volatile @Nullable Used used;
    private boolean running;

    /** Tells that the application uses the outbox. */
    public synchronized void use(OutboxTable table, OutboxRelay relay) {
        used = new Used(table, relay);
        if (running) {
            relay.start();
        }
    }

    /** Returns whether the application uses the outbox. */
    public boolean isUsed() {
        return used != null;
    }

    Optional<OutboxTable> table() {
        return Optional.ofNullable(used).map(Used::table);
    }

    Optional<OutboxRelay> relay() {
        return Optional.ofNullable(used).map(Used::relay);
    }

    @Override
    public synchronized void start() {
        running = true;
        relay().ifPresent(OutboxRelay::start);
    }

    @Override
    public synchronized void stop() {
        relay().ifPresent(OutboxRelay::stop);
        running = false;
    }

    @Override
    public synchronized boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }

    private record Used(OutboxTable table, OutboxRelay relay) {}
}
