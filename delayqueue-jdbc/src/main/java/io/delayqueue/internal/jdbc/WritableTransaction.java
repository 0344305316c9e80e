// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc;

import io.delayqueue.internal.transaction.CurrentTransaction;
import io.delayqueue.jdbc.TransactionRequiredException;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Whether the thread is in a transaction that may write to a DataSource, whether JDBC's transaction manager has begun it
 * or one that exposes its connection, such as JPA's.
 */
public final class WritableTransaction {

    private final DataSource dataSource;
    private final Begun begun;

    public WritableTransaction(DataSource dataSource) {
        this.dataSource = boundAs(dataSource);
        this.begun = new Begun(this.dataSource);
    }

    /** The DataSource under which the connections of a DataSource's transactions are bound to a thread. */
    public static DataSource boundAs(DataSource dataSource) {
        DataSource target = (dataSource instanceof TransactionAwareDataSourceProxy proxy)
                ? proxy.getTargetDataSource()
                : dataSource;
        return (target != null) ? target : dataSource;
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
                            + " another's. Use that DataSource's JdbcTransactionManager or JpaTransactionManager (JTA's does not"
                            + " do), or annotate the DataSource meant with @DelayQueueDataSource");
        }
    }

    private boolean holdsConnection() {
        if (!isOfDataSource()) {
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
     * A connection that somebody fetches within the transaction of a broker or of another database is not part of that:
     * where its pool has switched the automatic commit off, it is rolled back when it is closed. It is bound to the
     * thread as one that is synchronized with a transaction and has begun none itself. JPA's is bound as neither.
     */
    private boolean isOfDataSource() {
        return TransactionSynchronizationManager.getResource(dataSource) instanceof ConnectionHolder bound
                && (!bound.isSynchronizedWithTransaction() || begun.isOpen());
    }

    /** Asks as a transaction manager does that looks whether there is a transaction to take part in. Begins none. */
    private static final class Begun extends DataSourceTransactionManager {

        Begun(DataSource dataSource) {
            super(dataSource);
        }

        boolean isOpen() {
            return isExistingTransaction(doGetTransaction());
        }
    }
}
