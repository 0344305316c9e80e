// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.relay;

import io.delayqueue.internal.jdbc.outbox.Callers;
import io.delayqueue.internal.jdbc.outbox.CommittedRows;
import io.delayqueue.internal.jdbc.outbox.FreshRow;
import io.delayqueue.internal.jdbc.outbox.OutboxTable;
import io.delayqueue.internal.jdbc.outbox.OutboxTransactions;
import io.delayqueue.internal.jdbc.outbox.RejectedTable;
import io.delayqueue.internal.transaction.TaskChanges;
import io.delayqueue.jdbc.OutboxListener;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.springframework.context.SmartLifecycle;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Brings operations from the outbox to Redis on four threads: one sends what this process has committed, one sweeps
 * for what was left, another joins it where that is much, and one writes down what was sent. Redis is never called
 * while a transaction or a lock is held.
 */
public final class OutboxRelay implements CommittedRows, SmartLifecycle {

    /** Stops after those who schedule, such as web servers and handlers. */
    private static final int PHASE = 1;

    private static final Duration UNTIL_SIGNALLED = Duration.ofDays(1);

    private static final Duration STOP = Duration.ofSeconds(10);

    private final boolean enabled;
    private final FreshRows fresh;
    private final Sweep sweep;
    private final Sweep backlog;
    private final Settler settler;
    private final Callers callers;

    /**
     * @param changes asked for first when something is sent
     * @param enabled false for one that leaves everything to other processes
     */
    public OutboxRelay(
            DataSource dataSource,
            Tables tables,
            Supplier<TaskChanges> changes,
            Callers callers,
            List<OutboxListener> listeners,
            RelaySettings settings,
            boolean enabled) {
        this.enabled = enabled;
        TransactionTemplate transactions =
                OutboxTransactions.of(dataSource, tables.outbox().dialect());
        Brake redis = new Brake("Redis", settings.longestPause());
        Brake database = new Brake("The database", settings.longestPause());
        Sender sender = new Sender(changes, new Refusals(), callers, listeners, redis);
        OutboxTable outbox = tables.outbox();
        this.settler = new Settler(
                new Settlements(outbox, tables.rejected(), transactions, settings.lease()),
                callers,
                listeners,
                settings.batchSize(),
                database,
                Settler.TOGETHER,
                this::send);
        this.fresh = new FreshRows(outbox, sender, settler, settings, redis, database);
        this.backlog = new Sweep(
                "delayqueue-outbox-backlog",
                outbox,
                transactions,
                sender,
                settler,
                settings,
                redis,
                database,
                UNTIL_SIGNALLED,
                () -> {});
        this.sweep = new Sweep(
                "delayqueue-outbox-sweep",
                outbox,
                transactions,
                sender,
                settler,
                settings,
                redis,
                database,
                settings.pollInterval(),
                backlog.loop()::signal);
        this.callers = callers;
        if (!enabled) {
            callers.close();
        }
    }

    /** If there is room for them; the sweeps find what is left. */
    @Override
    public void send(List<FreshRow> rows) {
        fresh.offer(rows);
    }

    @Override
    public void added() {
        settler.hurry();
    }

    /** Has a sweep look for rows now. */
    public void look() {
        sweep.loop().signal();
    }

    @Override
    public void start() {
        callers.open();
        settler.loop().start();
        fresh.loop().start();
        backlog.loop().start();
        sweep.loop().start();
    }

    /** What was sent is written down; what was not is left to other processes, or to the next start. */
    @Override
    public void stop() {
        try {
            List<Loop> senders = List.of(sweep.loop(), backlog.loop(), fresh.loop());
            senders.forEach(Loop::end);
            long untilNanos = System.nanoTime() + STOP.toNanos();
            for (Loop sender : senders) {
                sender.stop(Duration.ofNanos(untilNanos - System.nanoTime()));
            }
            settler.stop(STOP);
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        } finally {
            callers.close();
        }
    }

    @Override
    public boolean isAutoStartup() {
        return enabled;
    }

    @Override
    public boolean isRunning() {
        return sweep.loop().isRunning();
    }

    @Override
    public int getPhase() {
        return PHASE;
    }

    /** The tables that it works on. */
    public record Tables(OutboxTable outbox, RejectedTable rejected) {}
}
