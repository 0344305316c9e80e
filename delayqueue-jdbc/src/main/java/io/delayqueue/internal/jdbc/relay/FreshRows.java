// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.relay;

import io.delayqueue.internal.jdbc.outbox.FreshRow;
import io.delayqueue.internal.jdbc.outbox.OutboxRow;
import io.delayqueue.internal.jdbc.outbox.OutboxTable;
import io.delayqueue.internal.jdbc.outbox.RowKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.locks.LockSupport;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/**
 * Sends what this process has just committed, and keeps it in memory while a server fails. What does not fit into its
 * memory, or comes too late for its lease, is left to the sweeps.
 *
 * <p>A row that comes while nothing is done is sent at once. After each round there is a {@link Rest}, so that what is
 * committed meanwhile shares the next one.
 */
final class FreshRows {

    private static final Duration IDLE = Duration.ofMinutes(1);

    private final OutboxTable table;
    private final Sender sender;
    private final Settler settler;
    private final RelaySettings settings;
    private final Brake redis;
    private final Brake database;
    private final BlockingQueue<FreshRow> queue;
    private final BatchLimit limit;
    private final Rest rest = new Rest();
    private final Loop loop;

    FreshRows(OutboxTable table, Sender sender, Settler settler, RelaySettings settings, Brake redis, Brake database) {
        this.table = table;
        this.sender = sender;
        this.settler = settler;
        this.settings = settings;
        this.redis = redis;
        this.database = database;
        this.queue = new ArrayBlockingQueue<>(settings.buffer());
        this.limit = new BatchLimit(settings.batchSize(), settings.batchSize());
        this.loop = new Loop("delayqueue-outbox-fresh", this::round);
    }

    Loop loop() {
        return loop;
    }

    /** Does not block. */
    void offer(List<FreshRow> rows) {
        if (loop.isRunning()) {
            rows.forEach(queue::offer);
            loop.signal();
        }
    }

    private Duration round() {
        Duration pause = Brake.longer(redis.remaining(), database.remaining());
        if (!pause.isZero()) {
            dropLate();
            return pause;
        }
        awaitMore();
        Map<RowKey, FreshRow> byKey = next();
        if (!byKey.isEmpty()) {
            long beforeNanos = System.nanoTime();
            send(byKey);
            rest.after(beforeNanos, System.nanoTime());
        }
        return queue.isEmpty() ? IDLE : Duration.ZERO;
    }

    /** What is offered meanwhile wakes nobody. */
    private void awaitMore() {
        long left = rest.remainingNanos(System.nanoTime());
        while (left > 0 && queue.size() < limit.rows() && loop.isRunning()) {
            LockSupport.parkNanos(left);
            left = rest.remainingNanos(System.nanoTime());
        }
    }

    /** Makes room: what waits too long is the sweeps' to send. */
    private void dropLate() {
        FreshRow first = queue.peek();
        while (first != null && !isInTime(first)) {
            queue.poll();
            first = queue.peek();
        }
    }

    /** No more than is known to fit into memory; after a failure a few, to see whether it is over. */
    private Map<RowKey, FreshRow> next() {
        int most = redis.isOn() ? Math.min(BatchLimit.FEW, limit.rows()) : limit.rows();
        Map<RowKey, FreshRow> byKey = new HashMap<>();
        long bytes = 0;
        while (byKey.size() < most && bytes < BatchLimit.MOST_BYTES) {
            FreshRow row = queue.poll();
            if (row == null) {
                break;
            }
            if (isInTime(row)) {
                byKey.put(row.key(), row);
                bytes += row.bytes();
            }
        }
        return byKey;
    }

    private void send(Map<RowKey, FreshRow> byKey) {
        long beforeNanos = System.nanoTime();
        List<OutboxRow> rows;
        try {
            rows = table.read(byKey.keySet());
            database.succeeded();
        } catch (DataAccessException | TransactionException ex) {
            database.failed(ex);
            return;
        }
        List<OutboxRow> ours = rows.stream()
                .filter(row -> {
                    FreshRow fresh = byKey.get(row.key());
                    return fresh != null && fresh.isOf(row) && isInTime(fresh);
                })
                .toList();
        List<Settler.Settlement> settlements = new ArrayList<>(ours.size());
        long bytes = 0;
        long sendingNanos = System.nanoTime();
        List<SentRow> all = sender.send(ours, lastNanos(ours, byKey));
        Duration took = Duration.ofNanos(System.nanoTime() - sendingNanos);
        for (SentRow sent : all) {
            FreshRow fresh = byKey.get(sent.row().key());
            settlements.add(
                    new Settler.Settlement(sent, sent.row().attempts(), fresh == null ? 0 : fresh.ourUntilNanos()));
            bytes += sent.row().operations().length;
        }
        limit.sent(byKey.size() >= limit.rows(), bytes, settings.leftToSend(beforeNanos, sendingNanos), took);
        settler.settle(settlements);
    }

    private long lastNanos(List<OutboxRow> rows, Map<RowKey, FreshRow> byKey) {
        long last = settings.lastSendNanos(System.nanoTime() + settings.lease().toNanos());
        for (OutboxRow row : rows) {
            FreshRow fresh = byKey.get(row.key());
            if (fresh != null && settings.lastSendNanos(fresh.ourUntilNanos()) - last < 0) {
                last = settings.lastSendNanos(fresh.ourUntilNanos());
            }
        }
        return last;
    }

    private boolean isInTime(FreshRow row) {
        return System.nanoTime() - settings.lastSendNanos(row.ourUntilNanos()) < 0;
    }
}
