// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.relay;

import io.delayqueue.internal.jdbc.outbox.OutboxRow;
import io.delayqueue.internal.jdbc.outbox.OutboxTable;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Finds rows that no process has sent in time, because of a crash, a failure or a full buffer. Keeps its position in
 * the index, so that it does not read taken or deleted rows again.
 */
final class Sweep implements Source {

    private static final Logger log = LoggerFactory.getLogger(Sweep.class);

    /**
     * The interval between searches that start at the first row. A transaction that was open for longer than the lease
     * may have committed a row that lies before the current position.
     */
    private static final Duration FROM_THE_BEGINNING = Duration.ofMinutes(1);

    /** Limits for the pause of an idle relay. The shorter one applies. */
    private static final int LONGEST_INTERVALS = 10;

    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

    private final OutboxTable table;
    private final TransactionTemplate transactions;
    private final Duration lease;
    private final Duration pollInterval;
    private final Duration longestPause;
    private final Runnable whenMore;
    private Duration pause;

    /** Lower bound of the times of available rows, in ms since 1970. */
    private long clearUntil;

    private long from;
    private boolean more;
    private long nextLookNanos = System.nanoTime();
    private long beganNanos = nextLookNanos;
    private volatile boolean hurried;
    private volatile boolean restarted;
    private volatile boolean written;

    /**
     * @param pollInterval pause after a search that found no more rows, unless {@link #hurry} ends it. While this
     *     process writes no rows, the pause doubles with each search, up to ten intervals or 10 s
     * @param whenMore step to run after a batch if there are more rows
     */
    Sweep(
            OutboxTable table,
            TransactionTemplate transactions,
            Duration lease,
            Duration pollInterval,
            Runnable whenMore) {
        this.table = table;
        this.transactions = transactions;
        this.lease = lease;
        this.pollInterval = pollInterval;
        this.longestPause =
                longer(pollInterval, RelayWorker.min(pollInterval.multipliedBy(LONGEST_INTERVALS), LONGEST_PAUSE));
        this.pause = pollInterval;
        this.whenMore = whenMore;
    }

    /** Makes the next search due now. */
    void hurry() {
        hurried = true;
    }

    /** Records that this process writes to the outbox, so that searches become frequent again. */
    void noteWritten() {
        written = true;
    }

    /** Makes the next search start at the first row, because a row was committed later than its lease. */
    void restart() {
        restarted = true;
    }

    @Override
    public Duration untilNext() {
        return more || hurried ? Duration.ZERO : Duration.ofNanos(Math.max(0, nextLookNanos - System.nanoTime()));
    }

    @Override
    public List<TakenRow> take(int most) {
        if (!untilNext().isZero()) {
            return List.of();
        }
        try {
            boolean any = more && !isToRestart() || isAny();
            long takenNanos = System.nanoTime(); // The lease starts when the row is taken.
            List<OutboxRow> rows =
                    any ? Objects.requireNonNull(transactions.execute(status -> hold(from, most))) : List.of();
            more = rows.size() == most;
            from = more ? rows.get(most - 1).availableAt() : clearUntil;
            if (more) {
                whenMore.run();
            }
            long ourUntilNanos = takenNanos + lease.toNanos();
            return rows.stream()
                    .map(row -> new TakenRow(row, row.attempts() + 1, ourUntilNanos))
                    .toList();
        } catch (PessimisticLockingFailureException ex) {
            log.debug("Retrying outbox rows that another transaction had locked", ex);
            nextLookNanos = System.nanoTime()
                    + Duration.ofMillis(ThreadLocalRandom.current().nextLong(10, 100))
                            .toNanos();
            more = false;
            return List.of();
        }
    }

    private boolean isToRestart() {
        return restarted || System.nanoTime() - beganNanos > FROM_THE_BEGINNING.toNanos();
    }

    private boolean isAny() {
        hurried = false;
        if (isToRestart()) {
            restarted = false;
            clearUntil = 0;
            beganNanos = System.nanoTime();
        }
        OutboxTable.Look look = table.look(clearUntil);
        clearUntil = look.from();
        from = clearUntil;
        waitAfter(look.any());
        return look.any();
    }

    private void waitAfter(boolean any) {
        pause = (any || written) ? pollInterval : RelayWorker.min(pause.multipliedBy(2), longestPause);
        written = false;
        nextLookNanos = System.nanoTime() + pause.toNanos();
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    private List<OutboxRow> hold(long from, int most) {
        List<OutboxRow> rows = table.available(from, most);
        if (!rows.isEmpty()) {
            table.take(rows.stream().map(OutboxRow::key).toList(), lease);
        }
        return rows;
    }
}
