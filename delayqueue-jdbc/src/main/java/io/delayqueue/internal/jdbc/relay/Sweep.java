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
import org.springframework.dao.DataAccessException;
import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Takes rows that nobody has sent in time, in short transactions that have ended before Redis is called: what a crash,
 * a failure or a lack of memory has left. It remembers its place in the index, so that what it has taken is not read
 * over and over.
 */
final class Sweep {

    private static final Logger log = LoggerFactory.getLogger(Sweep.class);
    private static final Duration FROM_THE_BEGINNING = Duration.ofSeconds(10);

    private final OutboxTable table;
    private final TransactionTemplate transactions;
    private final Sender sender;
    private final Settler settler;
    private final RelaySettings settings;
    private final Brake redis;
    private final Brake database;
    private final Duration idle;
    private final Runnable whenMore;
    private final BatchLimit limit;
    private final Loop loop;
    private long from;
    private boolean more;
    private long beganNanos = System.nanoTime();

    /**
     * @param idle how long to wait when there was nothing more, unless there is a signal
     * @param whenMore called after each round that has left rows behind
     */
    Sweep(
            String name,
            OutboxTable table,
            TransactionTemplate transactions,
            Sender sender,
            Settler settler,
            RelaySettings settings,
            Brake redis,
            Brake database,
            Duration idle,
            Runnable whenMore) {
        this.table = table;
        this.transactions = transactions;
        this.sender = sender;
        this.settler = settler;
        this.settings = settings;
        this.redis = redis;
        this.database = database;
        this.idle = idle;
        this.whenMore = whenMore;
        this.limit = new BatchLimit(BatchLimit.FEW, settings.batchSize());
        this.loop = new Loop(name, this::round);
    }

    Loop loop() {
        return loop;
    }

    private Duration round() {
        Duration pause = Brake.longer(redis.remaining(), database.remaining());
        if (!pause.isZero()) {
            return pause;
        }
        int asked = redis.isOn() ? Math.min(BatchLimit.FEW, limit.rows()) : limit.rows();
        long beforeNanos = System.nanoTime();
        List<OutboxRow> rows;
        try {
            boolean any = more || table.isAnyAvailable();
            beforeNanos = System.nanoTime(); // the lease begins with the taking
            rows = any ? Objects.requireNonNull(transactions.execute(status -> take(asked))) : List.of();
            database.succeeded();
        } catch (PessimisticLockingFailureException ex) {
            log.debug("Rows of the outbox are taken once more, as another transaction held them", ex);
            return Duration.ofMillis(ThreadLocalRandom.current().nextLong(10, 100));
        } catch (DataAccessException | TransactionException ex) {
            database.failed(ex);
            return database.remaining();
        }
        more = rows.size() == asked;
        if (!rows.isEmpty()) {
            send(rows, beforeNanos);
        }
        return next(rows);
    }

    private List<OutboxRow> take(int limit) {
        List<OutboxRow> rows = table.available(from, limit);
        if (!rows.isEmpty()) {
            table.take(rows.stream().map(OutboxRow::key).toList(), settings.lease());
        }
        return rows;
    }

    private void send(List<OutboxRow> rows, long takenNanos) {
        long ourUntilNanos = takenNanos + settings.lease().toNanos();
        long sendingNanos = System.nanoTime();
        List<SentRow> all = sender.send(rows, settings.lastSendNanos(ourUntilNanos));
        Duration took = Duration.ofNanos(System.nanoTime() - sendingNanos);
        long bytes = rows.stream().mapToLong(row -> row.operations().length).sum();
        limit.sent(more, bytes, settings.leftToSend(takenNanos, sendingNanos), took);
        settler.settle(all.stream()
                .map(sent -> new Settler.Settlement(sent, sent.row().attempts() + 1, ourUntilNanos))
                .toList());
    }

    private Duration next(List<OutboxRow> rows) {
        from = more ? rows.get(rows.size() - 1).availableAt() : 0;
        if (System.nanoTime() - beganNanos > FROM_THE_BEGINNING.toNanos()) {
            from = 0; // a transaction that was long under way may have left something behind this place
            beganNanos = System.nanoTime();
        }
        if (more && !redis.isOn()) {
            whenMore.run();
        }
        return more ? Duration.ZERO : idle;
    }
}
