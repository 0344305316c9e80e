// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.outbox;

import io.delayqueue.internal.jdbc.Unobserved;
import io.delayqueue.internal.jdbc.schema.Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionCallback;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The outbox's own transactions, which are not observed. They use READ COMMITTED, regardless of the pool's settings.
 * With a stricter isolation level, MySQL would lock the gaps between rows, and PostgreSQL and H2 would fail if another
 * transaction changed a row. On PostgreSQL, each transaction sets the level itself, because the driver would set it for
 * the session, which a transaction-level pooler may share with other clients.
 */
public final class OutboxTransactions {

    /**
     * SQL that makes PostgreSQL use the index. Otherwise, PostgreSQL keeps a plan for few rows even when there are a
     * million. It also underestimates the number of available rows, and would sort all of them for each batch.
     */
    private static final String BY_INDEX =
            "SET LOCAL enable_seqscan TO OFF; SET LOCAL enable_bitmapscan TO OFF; SET LOCAL enable_sort TO OFF";

    private OutboxTransactions() {}

    public static TransactionTemplate of(DataSource dataSource, Database database) {
        if (database == Database.POSTGRESQL) {
            return new OwnTransactions(new ByIndex(dataSource));
        }
        TransactionTemplate transactions = new OwnTransactions(new Apart(dataSource));
        transactions.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
        return transactions;
    }

    private static final class OwnTransactions extends TransactionTemplate {

        private static final long serialVersionUID = 1;

        OwnTransactions(PlatformTransactionManager manager) {
            super(manager);
        }

        @Override
        public <T extends @Nullable Object> T execute(TransactionCallback<T> action) {
            return Unobserved.call(() -> super.execute(action));
        }
    }

    /**
     * Treats a connection that JPA's transaction manager has bound as part of a transaction, so that a new transaction
     * suspends that one. JPA binds its connection as neither active nor synchronized. Otherwise, JDBC's manager would
     * begin its own transaction on that connection and commit it.
     */
    private static class Apart extends JdbcTransactionManager {

        private static final long serialVersionUID = 1;

        Apart(DataSource dataSource) {
            super(dataSource);
        }

        @Override
        protected boolean isExistingTransaction(Object transaction) {
            return super.isExistingTransaction(transaction)
                    || TransactionSynchronizationManager.getResource(obtainDataSource())
                                    instanceof ConnectionHolder bound
                            && !bound.isSynchronizedWithTransaction();
        }
    }

    private static final class ByIndex extends Apart {

        private static final long serialVersionUID = 1;

        ByIndex(DataSource dataSource) {
            super(dataSource);
        }

        @Override
        protected void prepareTransactionalConnection(Connection connection, TransactionDefinition definition)
                throws SQLException {
            super.prepareTransactionalConnection(connection, definition);
            try (Statement statement = connection.createStatement()) {
                statement.execute("SET TRANSACTION ISOLATION LEVEL READ COMMITTED; " + BY_INDEX);
            }
        }
    }
}
