// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.relay;

import io.delayqueue.internal.jdbc.outbox.Callers;
import io.delayqueue.internal.jdbc.outbox.CommittedRows;
import io.delayqueue.internal.jdbc.outbox.FreshRow;
import io.delayqueue.internal.jdbc.outbox.OutboxTable;
import io.delayqueue.internal.jdbc.outbox.RejectedTable;
import io.delayqueue.internal.transaction.TaskChanges;
import io.delayqueue.jdbc.OutboxListener;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Sends operations from the outbox to Redis on two threads. The first one sends the rows that this process has
 * committed. The second one sweeps for rows that other processes have left; if there are many, the first one helps.
 */
public final class OutboxRelay implements CommittedRows {

    private static final Duration STOP = Duration.ofSeconds(10);

    private final RelaySettings settings;
    private final Callers callers;
    private final FreshRows fresh;
    private final Sweep sweep;
    private final RelayWorker sender;
    private final RelayWorker sweeper;

    /** @param changes supplies the task changes, when rows are first sent */
    public OutboxRelay(
            OutboxTable table,
            RejectedTable rejected,
            TransactionTemplate transactions,
            Supplier<TaskChanges> changes,
            Callers callers,
            List<OutboxListener> listeners,
            RelaySettings settings) {
        this.settings = settings;
        this.callers = callers;
        RetryGate redis = new RetryGate("Redis", settings.longestPause());
        RetryGate database = new RetryGate("The database", settings.longestPause());
        Sender sending = new Sender(changes, callers, listeners, redis);
        Settlements settlements = new Settlements(table, rejected, transactions, settings.lease());
        Supplier<Settler> settler =
                () -> new Settler(settlements, listeners, settings.batchSize(), Settler.TOGETHER, this::send);
        this.fresh = new FreshRows(table, settings);
        Sweep backlog = new Sweep(table, transactions, settings.lease(), RelayWorker.UNTIL_SIGNALLED, () -> {});
        this.sender = new RelayWorker(
                "delayqueue-outbox-send", List.of(fresh, backlog), sending, settler.get(), settings, redis, database);
        this.sweep = new Sweep(table, transactions, settings.lease(), settings.pollInterval(), () -> join(backlog));
        this.sweeper = new RelayWorker(
                "delayqueue-outbox-sweep", List.of(sweep), sending, settler.get(), settings, redis, database);
    }

    private void join(Sweep backlog) {
        backlog.hurry();
        sender.loop().signal();
    }

    @Override
    public void committed(List<FreshRow> rows, boolean added) {
        sweep.noteWritten();
        send(rows);
        if (added) {
            sender.hurry();
            sweeper.hurry();
        }
    }

    /** Sends as many rows as there is room for. Sweeps find the others. */
    private void send(List<FreshRow> rows) {
        if (!rows.isEmpty() && sender.loop().isRunning()) {
            fresh.offer(rows);
            sender.loop().signal();
            if (rows.stream().anyMatch(row -> row.ourUntilNanos() - System.nanoTime() < 0)) {
                sweep.restart();
                look();
            }
        }
    }

    /** Starts a sweep now. */
    public void look() {
        sweep.hurry();
        sweeper.loop().signal();
    }

    /** Starts the relay, unless it is disabled in this process. */
    public void start() {
        if (settings.enabled()) {
            callers.open();
            sender.loop().start();
            sweeper.loop().start();
        } else {
            callers.close();
        }
    }

    /** Settles the rows that were sent. Other processes, or this one after the next start, send the remaining rows. */
    public void stop() {
        List<RelayWorker> workers = List.of(sender, sweeper);
        workers.forEach(worker -> worker.loop().end());
        long untilNanos = System.nanoTime() + STOP.toNanos();
        try {
            for (RelayWorker worker : workers) {
                if (worker.loop().awaitEnd(Duration.ofNanos(untilNanos - System.nanoTime()))) {
                    worker.settleRest();
                }
            }
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        } finally {
            callers.close();
        }
    }
}
