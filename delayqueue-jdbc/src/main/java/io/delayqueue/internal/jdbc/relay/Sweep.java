// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.relay;

import io.delayqueue.internal.jdbc.outbox.OutboxRow;
import io.delayqueue.internal.jdbc.outbox.OutboxTable;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Takes rows that nobody has sent in time, in short transactions that have ended before Redis is called: what a crash,
 * a failure or a lack of memory has left. It remembers its place in the index, so that what it has taken is not read
 * over and over.
 */
final class Sweep {

    /** After failures, to see whether they are over. */
    private static final int FEW = 10;

    private static final int MOST_BYTES = 4 * 1024 * 1024;
    private static final Duration FROM_THE_BEGINNING = Duration.ofSeconds(10);

    private final OutboxTable table;
    private final TransactionTemplate transactions;
    private final Sender sender;
    private final Settler settler;
    private final RelaySettings settings;
    private final Brake redis;
    private final Brake database;
    private final Loop loop;
    private long from;
    private long beganNanos = System.nanoTime();
    private int limit = FEW;

    Sweep(
            OutboxTable table,
            TransactionTemplate transactions,
            Sender sender,
            Settler settler,
            RelaySettings settings,
            Brake redis,
            Brake database) {
        this.table = table;
        this.transactions = transactions;
        this.sender = sender;
        this.settler = settler;
        this.settings = settings;
        this.redis = redis;
        this.database = database;
        this.loop = new Loop("delayqueue-outbox-sweep", this::round);
    }

    Loop loop() {
        return loop;
    }

    private Duration round() {
        Duration pause = longer(redis.remaining(), database.remaining());
        if (!pause.isZero()) {
            return pause;
        }
        int asked = redis.isOn() ? Math.min(FEW, limit) : limit;
        long beforeNanos = System.nanoTime();
        List<OutboxRow> rows;
        try {
            rows = Objects.requireNonNull(transactions.execute(status -> take(asked)));
            database.succeeded();
        } catch (DataAccessException | TransactionException ex) {
            database.failed(ex);
            return database.remaining();
        }
        if (!rows.isEmpty()) {
            send(rows, beforeNanos + settings.lease().toNanos());
        }
        return next(rows, asked);
    }

    private List<OutboxRow> take(int limit) {
        List<OutboxRow> rows = table.available(from, limit);
        if (!rows.isEmpty()) {
            table.take(rows.stream().map(OutboxRow::key).toList(), settings.lease());
        }
        return rows;
    }

    private void send(List<OutboxRow> rows, long ourUntilNanos) {
        if (System.nanoTime() - settings.lastSendNanos(ourUntilNanos) >= 0) {
            return; // this process was stopped, and others may be at it soon
        }
        settler.settle(sender.send(rows).stream()
                .map(sent -> new Settler.Settlement(sent, ourUntilNanos))
                .toList());
    }

    private Duration next(List<OutboxRow> rows, int asked) {
        boolean more = rows.size() == asked;
        long bytes = rows.stream().mapToLong(row -> row.operations().length).sum();
        limit = (bytes > MOST_BYTES)
                ? Math.max(1, limit / 2)
                : Math.min(settings.batchSize(), more && bytes < MOST_BYTES / 4 ? 2 * limit : limit);
        from = more ? rows.get(rows.size() - 1).availableAt() : 0;
        if (System.nanoTime() - beganNanos > FROM_THE_BEGINNING.toNanos()) {
            from = 0; // a transaction that was long under way may have left something behind this place
            beganNanos = System.nanoTime();
        }
        return more ? Duration.ZERO : settings.pollInterval();
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }
}
