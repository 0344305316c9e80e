// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.relay;

import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.jdbc.outbox.Callers;
import io.delayqueue.internal.jdbc.outbox.FreshRow;
import io.delayqueue.internal.jdbc.outbox.RowKey;
import io.delayqueue.jdbc.OutboxListener;
import io.delayqueue.jdbc.RejectedOperation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/**
 * Writes down in the table what was sent. A row that a transaction of the application holds is tried again later, as
 * nobody waits for that; where operations were added to it, they are sent next.
 */
final class Settler {

    private static final Logger log = LoggerFactory.getLogger(Settler.class);

    private static final Duration RETRY = Duration.ofMillis(50);

    /** What comes meanwhile shares a transaction; nobody waits for the deletion of what was sent. */
    static final Duration TOGETHER = Duration.ofMillis(50);

    private static final int MOST_WAITING = 1_000;
    private static final Duration IDLE = Duration.ofSeconds(1);

    private final Settlements settlements;
    private final Callers callers;
    private final List<OutboxListener> listeners;
    private final int batchSize;
    private final Brake database;
    private final Duration together;
    private final Consumer<List<FreshRow>> grown;
    private final BlockingQueue<Settlement> queue;
    /** By key; only the thread touches it. */
    private final Map<RowKey, Settlement> waiting = new LinkedHashMap<>();

    private final Loop loop;

    /** By {@link System#nanoTime}; only the thread touches it, and only while it gathers. */
    private long gatherUntilNanos;

    private boolean gathered;

    private volatile boolean gathering;
    private volatile boolean hurried;

    /**
     * @param together for how long what was sent may be gathered before it is written down
     * @param grown takes rows to which operations were added while they were sent
     */
    Settler(
            Settlements settlements,
            Callers callers,
            List<OutboxListener> listeners,
            int batchSize,
            Brake database,
            Duration together,
            Consumer<List<FreshRow>> grown) {
        this.settlements = settlements;
        this.callers = callers;
        this.listeners = List.copyOf(listeners);
        this.batchSize = batchSize;
        this.database = database;
        this.together = together;
        this.grown = grown;
        this.queue = new ArrayBlockingQueue<>(4 * batchSize);
        this.loop = new Loop("delayqueue-outbox-settle", this::round);
    }

    Loop loop() {
        return loop;
    }

    /** Lets the thread end, and then writes down what it has left. */
    void stop(Duration timeout) throws InterruptedException {
        loop.stop(timeout);
        while (!queue.isEmpty() && !database.isOn()) {
            round();
        }
    }

    /** Waits where too much is unsettled. */
    void settle(List<Settlement> sent) {
        try {
            for (Settlement settlement : sent) {
                while (loop.isRunning() && !queue.offer(settlement, RETRY.toMillis(), TimeUnit.MILLISECONDS)) {
                    loop.signal();
                }
            }
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
        if (!gathering || queue.size() >= batchSize) {
            loop.signal();
        }
    }

    /** What is sent, or will be next, is written down at once, as somebody has added to such a row. Does not block. */
    void hurry() {
        hurried = true;
        if (gathering) {
            loop.signal();
        }
    }

    private Duration round() {
        Duration left = gather();
        if (!left.isZero()) {
            return left;
        }
        List<Settlement> batch = new ArrayList<>();
        if (gathered) {
            queue.drainTo(batch, batchSize);
        }
        boolean fresh = !batch.isEmpty();
        for (Settlement settlement : batch) {
            waiting.put(settlement.sent().row().key(), settlement);
        }
        forgetLate();
        callers.expire();
        if (!waiting.isEmpty()) {
            settleWaiting();
        }
        if (database.isOn()) {
            return RETRY.plus(database.remaining());
        }
        if (!queue.isEmpty() && fresh) {
            return Duration.ZERO;
        }
        return waiting.isEmpty() ? IDLE : RETRY;
    }

    /** How long to wait for more. */
    private Duration gather() {
        long now = System.nanoTime();
        boolean any = !queue.isEmpty(); // what comes after this look signals, and is gathered by the next round
        if (!gathering && any) {
            gatherUntilNanos = now + together.toNanos();
            gathering = true;
        }
        if (gathering && !hurried && loop.isRunning() && queue.size() < batchSize && gatherUntilNanos - now > 0) {
            return Duration.ofNanos(gatherUntilNanos - now);
        }
        if (any) {
            hurried = false;
        }
        gathered = any;
        gathering = false; // before the queue is emptied, so that who comes after that gives a signal
        return Duration.ZERO;
    }

    private void settleWaiting() {
        try {
            Settlements.Result result = settlements.settle(waiting);
            database.succeeded();
            result.over().forEach(waiting::remove);
            if (!result.grown().isEmpty()) {
                grown.accept(result.grown());
            }
            result.rejected().forEach(this::tell);
        } catch (DataAccessException | TransactionException ex) {
            database.failed(ex);
        }
    }

    private void tell(RejectedOperation rejected) {
        log.error(
                "Queue '{}', task '{}': operations of a transaction can never be carried out and were put aside"
                        + " as {}: {}",
                rejected.queue(),
                rejected.id(),
                rejected.rejectedId(),
                rejected.reason());
        listeners.forEach(
                listener -> Guard.run(log, "A listener of the outbox failed", () -> listener.rejected(rejected)));
    }

    /**
     * Rows whose lease is over while a transaction holds them are others' to take as soon as it ends, and are sent
     * again then, unless this process comes first. So they are remembered, but not more than fit.
     */
    private void forgetLate() {
        if (waiting.size() <= MOST_WAITING) {
            return;
        }
        long now = System.nanoTime();
        Iterator<Settlement> all = waiting.values().iterator();
        while (all.hasNext()) {
            if (all.next().ourUntilNanos() - now < 0) {
                all.remove();
            }
        }
    }

    /**
     * A row that was sent.
     *
     * @param attempts of the row while nobody has taken it since
     * @param ourUntilNanos until when other processes leave it alone, by {@link System#nanoTime}
     */
    record Settlement(SentRow sent, int attempts, long ourUntilNanos) {}
}
