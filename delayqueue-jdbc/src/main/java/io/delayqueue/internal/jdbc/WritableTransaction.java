// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc;

import io.delayqueue.internal.transaction.CurrentTransaction;
import io.delayqueue.jdbc.TransactionRequiredException;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Whether the thread is in a transaction that may write to a DataSource, whichever transaction manager has begun it.
 */
public final class WritableTransaction {

    private final DataSource dataSource;

    public WritableTransaction(DataSource dataSource) {
        DataSource target = (dataSource instanceof TransactionAwareDataSourceProxy proxy)
                ? proxy.getTargetDataSource()
                : dataSource;
        this.dataSource = (target != null) ? target : dataSource;
    }

    /**
     * @param why a transaction is needed, as a clause
     * @throws TransactionRequiredException unless there is one
     */
    public void require(String why) {
        if (!CurrentTransaction.isOpen()) {
            throw new TransactionRequiredException(why + ", so it needs a transaction, and there is none."
                    + " Call it within a @Transactional method or a TransactionTemplate");
        }
        if (TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
            throw new TransactionRequiredException(
                    why + ", so it needs a transaction that may write, and this one is read-only");
        }
        if (!holdsConnection()) {
            throw new TransactionRequiredException(
                    why + ", so it needs a transaction of its DataSource, and this one is"
                            + " another's. Use that DataSource's transaction manager, or annotate the DataSource meant with"
                            + " @DelayQueueDataSource");
        }
    }

    private boolean holdsConnection() {
        if (!TransactionSynchronizationManager.hasResource(dataSource) && hasAnother()) {
            return false;
        }
        Connection connection = DataSourceUtils.getConnection(dataSource);
        try {
            return !connection.getAutoCommit();
        } catch (SQLException ex) {
            throw new DataAccessResourceFailureException(
                    "The connection does not tell whether it commits by itself", ex);
        } finally {
            DataSourceUtils.releaseConnection(connection, dataSource);
        }
    }

    /**
     * What somebody fetches beside another DataSource's transaction is not part of it, whatever its pool has set it to.
     */
    private static boolean hasAnother() {
        return TransactionSynchronizationManager.getResourceMap().values().stream()
                .anyMatch(ConnectionHolder.class::isInstance);
    }
}
