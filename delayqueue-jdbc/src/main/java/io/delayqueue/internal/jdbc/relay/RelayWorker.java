// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.relay;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/**
 * A thread that takes rows, sends them and deletes them shortly afterwards. It never calls Redis within a transaction.
 * It pauses after each batch that was not full, so that rows that are committed during the pause share the next batch.
 */
final class RelayWorker {

    static final Duration UNTIL_SIGNALLED = Duration.ofDays(1);

    /** Pause that limits the CPU time for small batches. Too short to delay tasks noticeably. */
    private static final Duration LONGEST_REST = Duration.ofMillis(2);

    private static final int REST = 4;

    private final List<Source> sources;
    private final Sender sender;
    private final Settler settler;
    private final RelaySettings settings;
    private final RetryGate redis;
    private final RetryGate database;
    private final BatchLimit limit;
    private final Loop loop;
    private long restUntilNanos = System.nanoTime();

    /** @param sources the sources, polled in this order */
    RelayWorker(
            String name,
            List<Source> sources,
            Sender sender,
            Settler settler,
            RelaySettings settings,
            RetryGate redis,
            RetryGate database) {
        this.sources = List.copyOf(sources);
        this.sender = sender;
        this.settler = settler;
        this.settings = settings;
        this.redis = redis;
        this.database = database;
        this.limit = new BatchLimit(BatchLimit.FEW, settings.batchSize());
        this.loop = new Loop(name, this::round);
    }

    Loop loop() {
        return loop;
    }

    /**
     * Requests that sent rows be settled now, because a transaction of this process has added operations to such a row.
     */
    void hurry() {
        settler.hurry();
        loop.signal();
    }

    /** Settles the remaining rows after the thread has ended. */
    void settleRest() {
        if (!database.isFailing()) {
            writeDown();
        }
    }

    private Duration round() {
        if (!database.remaining().isZero()) {
            return database.remaining();
        }
        if (settler.untilDue().isZero()) {
            writeDown();
        }
        Duration closed = redis.remaining();
        boolean any = closed.isZero() && sendNext();
        Duration next = closed.isZero() ? untilNext() : closed;
        return any ? Duration.ZERO : min(next, settler.untilDue());
    }

    private void writeDown() {
        try {
            settler.settle();
            database.succeeded();
        } catch (DataAccessException | TransactionException ex) {
            database.failed(ex);
        }
    }

    /** Returns whether there was anything to send. */
    private boolean sendNext() {
        LockSupport.parkNanos(restUntilNanos - System.nanoTime());
        long beganNanos = System.nanoTime();
        int most = redis.isFailing() ? Math.min(BatchLimit.FEW, limit.rows()) : limit.rows();
        try {
            List<TakenRow> rows = take(most);
            if (rows.isEmpty()) {
                return false;
            }
            send(rows, rows.size() == most);
            if (rows.size() < most) {
                long ended = System.nanoTime();
                restUntilNanos = ended + Math.min(LONGEST_REST.toNanos(), REST * (ended - beganNanos));
            }
            return true;
        } catch (DataAccessException | TransactionException | Error ex) {
            limit.halve(); // There may be too little memory for so many rows.
            if (ex instanceof Error error) {
                throw error;
            }
            database.failed(ex);
            return false;
        }
    }

    private List<TakenRow> take(int most) {
        for (Source source : sources) {
            if (source.untilNext().isZero()) {
                List<TakenRow> rows = source.take(most);
                database.succeeded();
                if (!rows.isEmpty()) {
                    return rows;
                }
            }
        }
        return List.of();
    }

    private void send(List<TakenRow> rows, boolean full) {
        long sendingNanos = System.nanoTime();
        long bytes = 0;
        long first = rows.get(0).ourUntilNanos();
        long last = first;
        for (TakenRow taken : rows) {
            first = (taken.ourUntilNanos() - first < 0) ? taken.ourUntilNanos() : first;
            last = (taken.ourUntilNanos() - last > 0) ? taken.ourUntilNanos() : last;
            bytes += taken.row().operations().length;
        }
        List<SentRow> sent = sender.send(rows, settings.lastSendNanos(first));
        Duration left = Duration.ofNanos(settings.lastSendNanos(last) - sendingNanos);
        limit.sent(full, bytes, left, Duration.ofNanos(System.nanoTime() - sendingNanos));
        settler.add(sent);
        if (sent.stream().anyMatch(row -> row.taken().isPart())) {
            settler.hurry(); // The other parts wait.
        }
    }

    private Duration untilNext() {
        return sources.stream().map(Source::untilNext).reduce(UNTIL_SIGNALLED, RelayWorker::min);
    }

    static Duration min(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
