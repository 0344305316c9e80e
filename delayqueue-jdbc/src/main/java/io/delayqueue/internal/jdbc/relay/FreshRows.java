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

/**
 * Rows that this process has just committed. They remain in memory while a server fails. Sweeps find rows that do not
 * fit into memory or have waited too long.
 */
final class FreshRows implements Source {

    private final OutboxTable table;
    private final RelaySettings settings;
    private final BlockingQueue<FreshRow> queue;

    FreshRows(OutboxTable table, RelaySettings settings) {
        this.table = table;
        this.settings = settings;
        this.queue = new ArrayBlockingQueue<>(settings.buffer());
    }

    /** Adds rows if there is room. Does not block. */
    void offer(List<FreshRow> rows) {
        for (FreshRow row : rows) {
            if (!queue.offer(row)) {
                dropLate();
                queue.offer(row);
            }
        }
    }

    private void dropLate() {
        FreshRow first = queue.peek();
        while (first != null && !isInTime(first) && queue.remove(first)) {
            first = queue.peek();
        }
    }

    @Override
    public Duration untilNext() {
        return queue.isEmpty() ? RelayWorker.UNTIL_SIGNALLED : Duration.ZERO;
    }

    @Override
    public List<TakenRow> take(int most) {
        Map<RowKey, FreshRow> byKey = next(most);
        if (byKey.isEmpty()) {
            return List.of();
        }
        List<TakenRow> taken = new ArrayList<>(byKey.size());
        for (OutboxRow row : table.read(byKey.keySet())) {
            FreshRow fresh = byKey.get(row.key());
            if (fresh != null && fresh.isOf(row)) {
                taken.add(new TakenRow(row, row.attempts(), fresh.ourUntilNanos()));
            }
        }
        return taken;
    }

    /** Returns only as many rows as are sure to fit into memory. */
    private Map<RowKey, FreshRow> next(int most) {
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

    private boolean isInTime(FreshRow row) {
        return System.nanoTime() - settings.lastSendNanos(row.ourUntilNanos()) < 0;
    }
}
