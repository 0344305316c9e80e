// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.relay;

import io.delayqueue.internal.jdbc.outbox.FreshRow;
import io.delayqueue.internal.jdbc.outbox.OutboxRow;
import io.delayqueue.internal.jdbc.outbox.OutboxTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/**
 * Sends what this process has just committed. What does not fit into its memory, or comes too late for its lease, is
 * left to the sweeps.
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
    private final Loop loop;

    FreshRows(OutboxTable table, Sender sender, Settler settler, RelaySettings settings, Brake redis, Brake database) {
        this.table = table;
        this.sender = sender;
        this.settler = settler;
        this.settings = settings;
        this.redis = redis;
        this.database = database;
        this.queue = new ArrayBlockingQueue<>(settings.buffer());
        this.loop = new Loop("delayqueue-outbox-fresh", this::round);
    }

    Loop loop() {
        return loop;
    }

    /** Does not block. */
    void offer(List<FreshRow> rows) {
        if (loop.isRunning() && !redis.isOn() && !database.isOn()) {
            rows.forEach(queue::offer);
            loop.signal();
        }
    }

    private Duration round() {
        List<FreshRow> fresh = new ArrayList<>();
        queue.drainTo(fresh, settings.batchSize());
        if (redis.isOn() || database.isOn()) {
            queue.clear();
            return IDLE;
        }
        Map<Object, FreshRow> byKey = new HashMap<>();
        fresh.stream().filter(this::isInTime).forEach(row -> byKey.put(row.key(), row));
        if (!byKey.isEmpty()) {
            send(byKey);
        }
        return queue.isEmpty() ? IDLE : Duration.ZERO;
    }

    private void send(Map<Object, FreshRow> byKey) {
        List<OutboxRow> rows;
        try {
            rows = table.read(byKey.values().stream().map(FreshRow::key).toList());
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
        for (SentRow sent : sender.send(ours)) {
            FreshRow fresh = byKey.get(sent.row().key());
            settlements.add(new Settler.Settlement(sent, fresh == null ? 0 : fresh.ourUntilNanos()));
        }
        settler.settle(settlements);
    }

    private boolean isInTime(FreshRow row) {
        return System.nanoTime() - settings.lastSendNanos(row.ourUntilNanos()) < 0;
    }
}
