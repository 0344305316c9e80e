// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.outbox;

import io.delayqueue.internal.jdbc.schema.TableNames;
import io.delayqueue.jdbc.DelayQueueOutbox;
import io.delayqueue.jdbc.OutboxStatistics;
import io.delayqueue.jdbc.RejectedOperation;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** Looks after the outbox over its tables. */
public final class JdbcOutbox implements DelayQueueOutbox {

    private static final int MOST_LISTED = 1_000;
    private static final Duration FRESH = Duration.ofSeconds(5);

    private final OutboxTable table;
    private final RejectedTable rejectedTable;
    private final TransactionTemplate transactions;
    private @Nullable OutboxStatistics latest;
    private long latestNanos;

    public JdbcOutbox(DataSource dataSource, OutboxDialect dialect, TableNames names) {
        this.table = new OutboxTable(dataSource, dialect, names);
        this.rejectedTable = new RejectedTable(dataSource, names);
        this.transactions = OutboxTransactions.of(dataSource, dialect);
        transactions.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
    }

    @Override
    public synchronized OutboxStatistics statistics() {
        OutboxStatistics known = latest;
        if (known != null && System.nanoTime() - latestNanos < FRESH.toNanos()) {
            return known;
        }
        OutboxStatistics read = new OutboxStatistics(
                table.count(OutboxStatistics.MOST_COUNTED),
                table.overdue(),
                table.oldest(OutboxStatistics.MOST_COUNTED),
                rejectedTable.count(OutboxStatistics.MOST_COUNTED),
                Instant.now());
        latest = read;
        latestNanos = System.nanoTime();
        return read;
    }

    @Override
    public List<RejectedOperation> rejected(int limit) {
        if (limit < 1 || limit > MOST_LISTED) {
            throw new IllegalArgumentException("1 to " + MOST_LISTED + " can be listed, but not " + limit);
        }
        return rejectedTable.list(limit);
    }

    @Override
    public boolean retry(String rejectedId) {
        return Boolean.TRUE.equals(transactions.execute(status -> putBack(rejectedId)));
    }

    private boolean putBack(String rejectedId) {
        List<RejectedTable.Kept> held = rejectedTable.hold(rejectedId);
        for (RejectedTable.Kept kept : held) {
            RowKey key = RowKey.of(kept.queue(), kept.id());
            for (Operation before : OperationFormat.decode(kept.queue(), kept.id(), kept.operations())) {
                Operation operation = Operation.of(before.change()); // or its row would be taken for the one before
                table.add(key, operation, OperationFormat.encode(operation, 0), Duration.ZERO);
            }
        }
        return rejectedTable.delete(rejectedId);
    }

    @Override
    public boolean delete(String rejectedId) {
        return Boolean.TRUE.equals(transactions.execute(status -> rejectedTable.delete(rejectedId)));
    }
}
