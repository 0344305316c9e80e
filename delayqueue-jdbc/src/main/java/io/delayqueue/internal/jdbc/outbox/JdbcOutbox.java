// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.outbox;

import io.delayqueue.internal.jdbc.LastKnown;
import io.delayqueue.internal.jdbc.Unobserved;
import io.delayqueue.internal.jdbc.schema.Database;
import io.delayqueue.internal.jdbc.schema.TableNames;
import io.delayqueue.jdbc.DelayQueueOutbox;
import io.delayqueue.jdbc.OutboxStatistics;
import io.delayqueue.jdbc.RejectedOperation;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** Manages the outbox through its tables. */
public final class JdbcOutbox implements DelayQueueOutbox {

    private static final int MOST_LISTED = 1_000;
    private static final Duration FRESH = Duration.ofSeconds(5);

    /**
     * Delay until a restored row is available. It must end after the commit, because relays do not search for rows that
     * became available earlier.
     */
    private static final Duration PUT_BACK = Duration.ofSeconds(1);

    private final OutboxTable table;
    private final RejectedTable rejectedTable;
    private final TransactionTemplate transactions;
    private final LastKnown<OutboxStatistics> statistics;

    /** @param thread executor that reads the statistics */
    public JdbcOutbox(DataSource dataSource, Database database, TableNames names, Executor thread) {
        this.table = new OutboxTable(dataSource, database, names);
        this.rejectedTable = new RejectedTable(dataSource, names);
        this.transactions = OutboxTransactions.of(dataSource, database);
        transactions.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        JdbcTemplate jdbc = new JdbcTemplate(dataSource);
        this.statistics =
                new LastKnown<>(FRESH, thread, () -> Unobserved.call(() -> read(jdbc, statistics(database, names))));
    }

    @Override
    public OutboxStatistics statistics() {
        return DatabaseWait.answer(statistics.fresh(), "for the outbox statistics");
    }

    private static String statistics(Database database, TableNames names) {
        String counted = " LIMIT " + OutboxStatistics.MOST_COUNTED + ") counted)";
        return "SELECT " + database.now()
                + ", (SELECT COUNT(*) FROM (SELECT 1 FROM " + names.outbox() + counted
                + ", (SELECT MIN(available_at) FROM " + names.outbox() + ")"
                + ", (SELECT MIN(created_at) FROM (SELECT created_at FROM " + names.outbox() + counted
                + ", (SELECT COUNT(*) FROM (SELECT 1 FROM " + names.rejected() + counted;
    }

    private static OutboxStatistics read(JdbcTemplate jdbc, String query) {
        return Objects.requireNonNull(jdbc.queryForObject(query, (result, number) -> {
            long now = result.getLong(1);
            long backlog = result.getLong(2);
            return new OutboxStatistics(
                    backlog,
                    backlog == 0 ? Duration.ZERO : since(result.getLong(3), now),
                    backlog == 0 ? Duration.ZERO : since(result.getLong(4), now),
                    result.getLong(5),
                    Instant.now());
        }));
    }

    /** Returns the time since that moment; zero if it is in the future. */
    private static Duration since(long moment, long now) {
        return Duration.ofMillis(Math.max(0, now - moment));
    }

    @Override
    public List<RejectedOperation> rejected(int limit) {
        if (limit < 1 || limit > MOST_LISTED) {
            throw new IllegalArgumentException("limit must be between 1 and " + MOST_LISTED + ", but is " + limit);
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
            // Use new numbers, so that no relay mistakes the row for the earlier one.
            List<Operation> operations = OperationFormat.decode(kept.queue(), kept.id(), kept.operations()).stream()
                    .map(before -> Operation.of(before.change()))
                    .toList();
            table.add(operations, 0, PUT_BACK);
        }
        return rejectedTable.delete(rejectedId);
    }

    @Override
    public boolean delete(String rejectedId) {
        return Boolean.TRUE.equals(transactions.execute(status -> rejectedTable.delete(rejectedId)));
    }
}
