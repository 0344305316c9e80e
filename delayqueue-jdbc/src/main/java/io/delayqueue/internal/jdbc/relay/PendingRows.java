// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.relay;

import io.delayqueue.internal.jdbc.outbox.OutboxTable;
import io.delayqueue.internal.store.PendingChanges;
import javax.sql.DataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** The rows of the outbox that were committed and are still there. */
public final class PendingRows implements PendingChanges {

    private static final int MOST = 500;

    private final OutboxTable table;
    private final OutboxRelay relay;
    private final TransactionTemplate apart;

    public PendingRows(DataSource dataSource, OutboxTable table, OutboxRelay relay) {
        this.table = table;
        this.relay = relay;
        this.apart = new TransactionTemplate(new JdbcTransactionManager(dataSource));
        apart.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        apart.setReadOnly(true);
    }

    @Override
    public String place() {
        return "the outbox";
    }

    @Override
    public long count() {
        Long rows = apart.execute(status -> table.count(MOST));
        return (rows == null) ? 0 : rows;
    }

    @Override
    public void hurry() {
        relay.look();
    }
}
