// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.relay;

import io.delayqueue.internal.concurrent.BackgroundWorker;
import io.delayqueue.internal.jdbc.outbox.OutboxTable;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.dao.DataAccessException;

/**
 * Starts the relay with the application, or at the first use of the outbox if that is later. An application that does
 * not use the outbox needs no tables and has no relay.
 */
public final class OutboxStart implements SmartLifecycle {

    /** Phase of the relay. It stops after components that schedule tasks, such as web servers and handlers. */
    private static final int PHASE = 1;

    private static final Logger log = LoggerFactory.getLogger(OutboxStart.class);

    private final BackgroundWorker worker;
    private final RelaySettings settings;
    private volatile @Nullable Used used;
    private boolean running;

    /** @param worker worker that checks for a relay in another process if it is disabled in this one */
    public OutboxStart(BackgroundWorker worker, RelaySettings settings) {
        this.worker = worker;
        this.settings = settings;
    }

    /** Called when the application uses the outbox. */
    public synchronized void use(OutboxTable table, OutboxRelay relay) {
        used = new Used(table, relay);
        if (running) {
            begin(used);
        }
    }

    private void begin(Used outbox) {
        outbox.relay().start();
        if (!settings.enabled()) {
            worker.execute(() -> look(outbox.table(), -1));
        }
    }

    /**
     * Finds the row that has waited longest, and checks it again after the duration of a lease. A relay would have
     * taken it by then.
     */
    private void look(OutboxTable table, long before) {
        try {
            OutboxTable.Look look = table.look(0);
            if (!look.any()) {
                return;
            }
            if (before < 0) {
                worker.after(settings.lease(), () -> look(table, look.from()));
            } else if (look.from() == before) {
                log.warn(
                        "No process relays the outbox: calls committed before {} have not reached "
                                + "Redis, and delayqueue.jdbc.relay.enabled is false here. Start a process that "
                                + "has the relay enabled",
                        Instant.ofEpochMilli(before));
            }
        } catch (DataAccessException ex) {
            log.debug("Could not read the outbox at startup", ex);
        }
    }

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
        Used outbox = used;
        if (outbox != null) {
            begin(outbox);
        }
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
