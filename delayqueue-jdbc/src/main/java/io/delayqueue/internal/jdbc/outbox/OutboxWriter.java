// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.outbox;

import io.delayqueue.TransactionOutcomeUnknownException;
import io.delayqueue.TransactionRolledBackException;
import io.delayqueue.internal.jdbc.WritableTransaction;
import io.delayqueue.internal.transaction.DeferredCall;
import io.delayqueue.internal.transaction.DeferredCaller;
import io.delayqueue.internal.transaction.TaskChange;
import io.delayqueue.internal.transaction.TransactionalOutbox;
import io.delayqueue.internal.transaction.UntilCommit;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Writes operations to the outbox in the calling thread's transaction, and passes the inserted rows to this process's
 * relay after the commit. The relay reads the rows from the table before it sends them, so it sends only committed
 * operations.
 */
public final class OutboxWriter implements TransactionalOutbox {

    private final WritableTransaction transaction;
    private final OutboxTable table;
    private final Callers callers;
    private final Duration untaken;
    private final CommittedRows relay;
    private final InstantSource clock;
    private final UntilCommit<Written> untilCommit = new UntilCommit<>(new End());

    /**
     * @param untaken how long a new row is reserved for this process
     * @param relay relay that receives committed rows
     * @param clock clock for the start of relative delays
     */
    public OutboxWriter(
            WritableTransaction transaction,
            OutboxTable table,
            Callers callers,
            Duration untaken,
            CommittedRows relay,
            InstantSource clock) {
        this.transaction = transaction;
        this.table = table;
        this.callers = callers;
        this.untaken = untaken;
        this.relay = relay;
        this.clock = clock;
    }

    @Override
    public boolean isOpen() {
        return untilCommit.isOpen();
    }

    /**
     * Writes the calls, in order for each task and group. To prevent deadlocks, all callers write rows in the same
     * order.
     *
     * @throws io.delayqueue.TransactionMismatchException if there is no writable transaction of the outbox's
     *     DataSource
     * @throws org.springframework.dao.DataAccessException if the database fails; roll back the transaction
     */
    @Override
    public void add(List<? extends DeferredCall<?>> calls) {
        TaskChange<?> first = calls.get(0).change();
        transaction.require(first.what() + ": the call is written to the outbox");
        long nowMillis = clock.millis();
        List<Written> written = new ArrayList<>(calls.size());
        byRow(calls).forEach((key, ofRow) -> written.addAll(write(key, ofRow, nowMillis)));
        if (!untilCommit.add(written)) {
            throw rolledBack(calls.get(0).caller());
        }
    }

    private static Map<RowKey, List<DeferredCall<?>>> byRow(List<? extends DeferredCall<?>> calls) {
        Map<RowKey, List<DeferredCall<?>>> byRow = new TreeMap<>();
        for (DeferredCall<?> call : calls) {
            RowKey key = RowKey.of(call.change().queue(), call.change().id());
            byRow.computeIfAbsent(key, any -> new ArrayList<>(1)).add(call);
        }
        return byRow;
    }

    private List<Written> write(RowKey key, List<DeferredCall<?>> calls, long nowMillis) {
        List<Operation> operations =
                calls.stream().map(call -> Operation.of(call.change())).toList();
        FreshRow row = table.add(operations, nowMillis, untaken);
        List<Written> written = new ArrayList<>(calls.size());
        for (int i = 0; i < calls.size(); i++) {
            written.add(
                    new Written(key, operations.get(i).number(), calls.get(i).caller(), (i == 0) ? row : null));
        }
        return written;
    }

    private static TransactionRolledBackException rolledBack(DeferredCaller<?> caller) {
        return new TransactionRolledBackException(
                caller.what() + ": not executed, because its transaction was rolled back");
    }

    /**
     * A written call, without its payload, because a transaction may write much data.
     *
     * @param row the inserted row; null if the operation was added to an existing one
     */
    private record Written(
            RowKey key,
            long number,
            DeferredCaller<?> caller,
            @Nullable FreshRow row) {}

    private final class End implements UntilCommit.End<Written> {

        @Override
        public void committed(List<Written> all) {
            all.forEach(written -> callers.await(written.number(), written.caller()));
            List<FreshRow> rows = new ArrayList<>(all.size());
            Set<RowKey> isNew = new HashSet<>();
            boolean added = false;
            for (Written written : all) {
                if (written.row() != null) {
                    rows.add(written.row());
                    isNew.add(written.key());
                } else {
                    added |= !isNew.contains(written.key());
                }
            }
            relay.committed(rows, added);
        }

        @Override
        public void rolledBack(List<Written> all) {
            all.forEach(written -> written.caller().fail(OutboxWriter.rolledBack(written.caller())));
        }

        /** Does nothing. If the transaction has committed, a sweep finds the rows. */
        @Override
        public void unknown(List<Written> all) {
            all.forEach(written -> written.caller()
                    .fail(new TransactionOutcomeUnknownException(written.caller()
                                    .what() + ": it is unknown whether its transaction has committed. If it has, "
                            + "the call takes effect")));
        }
    }
}
