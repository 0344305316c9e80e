// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.relay;

import io.delayqueue.internal.jdbc.outbox.FreshRow;
import io.delayqueue.internal.jdbc.outbox.OutboxRow;
import io.delayqueue.internal.jdbc.outbox.OutboxTable;
import io.delayqueue.internal.jdbc.outbox.RejectedTable;
import io.delayqueue.internal.jdbc.outbox.RowKey;
import io.delayqueue.internal.jdbc.outbox.RowState;
import io.delayqueue.jdbc.RejectedOperation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.springframework.transaction.support.TransactionTemplate;

/** The transaction that settles rows: it deletes them, removes their sent operations, or marks them for a retry. */
record Settlements(OutboxTable table, RejectedTable rejectedTable, TransactionTemplate transactions, Duration lease) {

    private static final Duration FIRST_DELAY = Duration.ofMillis(250);
    private static final Duration LONGEST_DELAY = Duration.ofSeconds(10);

    /** @throws org.springframework.dao.DataAccessException if nothing was written, or the outcome is unknown */
    Result settle(Map<RowKey, SentRow> sent) {
        long beforeNanos = System.nanoTime();
        return Objects.requireNonNull(transactions.execute(status -> settleAll(sent, beforeNanos + lease.toNanos())));
    }

    private Result settleAll(Map<RowKey, SentRow> sent, long untilNanos) {
        Result result = settleHeld(sent, untilNanos);
        Set<RowKey> left = new HashSet<>(sent.keySet());
        left.removeAll(result.over());
        if (left.isEmpty()) {
            return result;
        }
        // Other processes have taken and sent the missing rows.
        left.removeAll(table.present(left).keySet());
        left.addAll(result.over());
        return new Result(left, result.grown(), result.rejected());
    }

    private Result settleHeld(Map<RowKey, SentRow> sent, long untilNanos) {
        Map<RowKey, RowState> held = table.hold(sent.keySet());
        List<RowKey> deleted = new ArrayList<>();
        List<SentRow> settled = new ArrayList<>();
        List<RowKey> grown = new ArrayList<>();
        Map<Duration, List<RowKey>> later = new LinkedHashMap<>();
        held.forEach((key, state) -> {
            SentRow row = Objects.requireNonNull(sent.get(key));
            if (state.attempts() != row.taken().attempts()) {
                return; // Another process has taken the row and will settle it.
            }
            if (row.isUnchanged()) {
                if (!row.isUncertain()) {
                    later.computeIfAbsent(delay(row.row()), any -> new ArrayList<>())
                            .add(key);
                }
            } else if (row.isDone()
                    && !row.taken().isPart()
                    && state.version() == row.row().version()) {
                deleted.add(key);
                settled.add(row);
            } else {
                grown.add(key);
            }
        });
        List<FreshRow> fresh = grown.isEmpty() ? List.of() : cut(grown, sent, settled, untilNanos);
        if (!deleted.isEmpty()) {
            table.delete(deleted);
        }
        if (fresh.isEmpty()) {
            table.commitWithoutFlush(); // After a crash of the server, rows are only sent again.
        }
        later.forEach((delay, keys) -> table.leave(keys, delay));
        List<RejectedOperation> rejected =
                settled.stream().flatMap(this::putAside).toList();
        return new Result(held.keySet(), fresh, rejected);
    }

    /** Removes the executed operations from the rows, unless another process has already removed them. */
    private List<FreshRow> cut(
            Collection<RowKey> grown, Map<RowKey, SentRow> sent, List<SentRow> settled, long untilNanos) {
        Map<RowKey, byte[]> old = new HashMap<>();
        Map<RowKey, byte[]> added = new HashMap<>();
        List<FreshRow> fresh = new ArrayList<>();
        for (OutboxRow now : table.read(grown)) {
            SentRow before = Objects.requireNonNull(sent.get(now.key()));
            byte[] bytes = before.row().operations();
            int more = now.operations().length - bytes.length;
            int left = before.left().length;
            if (more >= 0 && more + left > 0 && Arrays.equals(bytes, Arrays.copyOf(now.operations(), bytes.length))) {
                byte[] rest = Arrays.copyOf(before.left(), left + more);
                System.arraycopy(now.operations(), bytes.length, rest, left, more);
                (before.isDone() && !before.taken().isPart() ? added : old).put(now.key(), rest);
                if (!before.isUncertain()) {
                    fresh.add(new FreshRow(now.key(), now.version(), rest.length, untilNanos));
                }
                settled.add(before);
            }
        }
        table.cut(added, lease, true);
        table.cut(old, lease, false);
        return fresh;
    }

    private Stream<RejectedOperation> putAside(SentRow row) {
        return row.rejected().stream()
                .map(rejection -> rejectedTable.add(
                        row.row().queue(), row.row().id(), rejection.operations(), rejection.reason()));
    }

    private static Duration delay(OutboxRow row) {
        long millis = FIRST_DELAY.toMillis() << Math.min(10, row.attempts());
        return Duration.ofMillis(Math.min(LONGEST_DELAY.toMillis(), millis));
    }

    /**
     * The result of the transaction.
     *
     * @param over rows that this process or another has settled
     * @param grown rows with more operations to send
     * @param rejected operations that were rejected
     */
    record Result(Set<RowKey> over, List<FreshRow> grown, List<RejectedOperation> rejected) {}
}
