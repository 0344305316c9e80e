// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.relay;

import io.delayqueue.internal.concurrent.DoublingBackOff;
import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.jdbc.outbox.FreshRow;
import io.delayqueue.internal.jdbc.outbox.RowKey;
import io.delayqueue.jdbc.OutboxListener;
import io.delayqueue.jdbc.RejectedOperation;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.backoff.BackOff;
import org.springframework.util.backoff.BackOffExecution;

/**
 * Collects the rows that a thread has sent, and deletes them from the table or marks them for a retry after a short
 * time. Callers do not wait for this. If a transaction of the application has locked a row, retries with a back-off.
 */
final class Settler {

    private static final Logger log = LoggerFactory.getLogger(Settler.class);

    static final Duration TOGETHER = Duration.ofMillis(50);

    /**
     * The back-off while other transactions have locked rows. The pause ends early when a transaction of this process
     * ends.
     */
    private static final BackOff WHILE_HELD = DoublingBackOff.between(TOGETHER, Duration.ofSeconds(2));

    private static final int MOST_HELD = 1_000;

    private final Settlements settlements;
    private final List<OutboxListener> listeners;
    private final int batchSize;
    private final Duration together;
    private final Consumer<List<FreshRow>> grown;

    private final Map<RowKey, SentRow> unsettled = new LinkedHashMap<>();
    private int held;
    private BackOffExecution whileHeld = WHILE_HELD.start();
    private long dueNanos;
    private volatile boolean hurried;

    /**
     * @param together how long rows may be collected
     * @param grown receives the rows to which operations were added while they were sent
     */
    Settler(
            Settlements settlements,
            List<OutboxListener> listeners,
            int batchSize,
            Duration together,
            Consumer<List<FreshRow>> grown) {
        this.settlements = settlements;
        this.listeners = List.copyOf(listeners);
        this.batchSize = batchSize;
        this.together = together;
        this.grown = grown;
    }

    void add(List<SentRow> sent) {
        if (unsettled.size() == held) { // The first row of a batch.
            long atMost = System.nanoTime() + together.toNanos();
            dueNanos = (held == 0 || atMost - dueNanos < 0) ? atMost : dueNanos;
        }
        sent.forEach(row -> unsettled.put(row.row().key(), row));
        if (unsettled.size() - held >= batchSize) {
            dueNanos = System.nanoTime();
        }
    }

    /**
     * Requests a {@link #settle} now, because a transaction of this process has added operations to rows. Thread-safe.
     */
    void hurry() {
        hurried = true;
    }

    /** Returns the time until the next {@link #settle}. */
    Duration untilDue() {
        if (unsettled.isEmpty()) {
            return RelayWorker.UNTIL_SIGNALLED;
        }
        return hurried ? Duration.ZERO : Duration.ofNanos(Math.max(0, dueNanos - System.nanoTime()));
    }

    /**
     * Settles the rows that no other transaction has locked.
     *
     * @throws org.springframework.dao.DataAccessException if the database fails; the next call retries
     */
    void settle() {
        forgetLate();
        if (unsettled.isEmpty()) {
            return;
        }
        hurried = false;
        Settlements.Result result = settlements.settle(unsettled);
        result.over().forEach(unsettled::remove);
        whileHeld = result.over().isEmpty() ? whileHeld : WHILE_HELD.start();
        held = unsettled.size();
        dueNanos =
                System.nanoTime() + Duration.ofMillis(whileHeld.nextBackOff()).toNanos();
        if (!result.grown().isEmpty()) {
            grown.accept(result.grown());
        }
        result.rejected().forEach(this::tell);
    }

    private void tell(RejectedOperation rejected) {
        log.error(
                "Queue '{}', task '{}': calls of a transaction can never be executed and were rejected " + "as {}: {}",
                rejected.queue(),
                rejected.id(),
                rejected.rejectedId(),
                rejected.reason());
        listeners.forEach(listener -> Guard.run(log, "An outbox listener failed", () -> listener.rejected(rejected)));
    }

    /**
     * Removes rows whose lease has expired, if there are many rows. Another process may take and send them again, when
     * the transaction that has locked them ends.
     */
    private void forgetLate() {
        if (held > MOST_HELD) {
            long now = System.nanoTime();
            unsettled.values().removeIf(row -> row.taken().ourUntilNanos() - now < 0);
            held = Math.min(held, unsettled.size());
        }
    }
}
