// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc;

import io.delayqueue.TransactionMismatchException;
import io.delayqueue.internal.transaction.CurrentTransaction;
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
 * The writable transaction of the calling thread on a DataSource. Supports JDBC's transaction manager and others that
 * expose their JDBC connection, such as JPA's.
 */
public final class WritableTransaction {

    private final DataSource dataSource;
    private final Begun begun;

    public WritableTransaction(DataSource dataSource) {
        this.dataSource = boundAs(dataSource);
        this.begun = new Begun(this.dataSource);
    }

    /** Returns the DataSource that Spring uses as the key to bind connections to a thread. */
    public static DataSource boundAs(DataSource dataSource) {
        DataSource target = (dataSource instanceof TransactionAwareDataSourceProxy proxy)
                ? proxy.getTargetDataSource()
                : dataSource;
        return (target != null) ? target : dataSource;
    }

    /**
     * @param why reason why the call needs a transaction, as a clause
     * @throws TransactionMismatchException if there is none
     */
    public void require(String why) {
        if (!CurrentTransaction.isOpen()) {
            throw new TransactionMismatchException(
                    why + ", so it needs a transaction, but none is active. Call it within a @Transactional method "
                            + "or a TransactionTemplate");
        }
        if (TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
            throw new TransactionMismatchException(
                    why + ", so it needs a writable transaction, but the current one is read-only");
        }
        if (!holdsConnection()) {
            throw new TransactionMismatchException(
                    why + ", so it needs a transaction of its DataSource, but the current one belongs to another "
                            + "DataSource. Use the JdbcTransactionManager or JpaTransactionManager of that DataSource "
                            + "(JTA is not supported), or annotate the intended DataSource with @DelayQueueDataSource");
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
                    "The connection does not report whether it is in auto-commit mode", ex);
        } finally {
            DataSourceUtils.releaseConnection(connection, dataSource);
        }
    }

    /**
     * Returns whether the connection belongs to a transaction of its DataSource. A connection that was obtained within
     * a transaction of a broker or another database does not. If its pool switches off auto-commit, closing the
     * connection rolls the changes back. Spring marks such a connection as synchronized but not active, and JPA's
     * connection as neither.
     */
    private boolean isOfDataSource() {
        return TransactionSynchronizationManager.getResource(dataSource) instanceof ConnectionHolder bound
                && (!bound.isSynchronizedWithTransaction() || begun.isOpen());
    }

    /** Detects the current transaction in the same way as a transaction manager. Never begins one. */
    private static final class Begun extends DataSourceTransactionManager {

        Begun(DataSource dataSource) {
            super(dataSource);
        }

        boolean isOpen() {
            return isExistingTransaction(doGetTransaction());
        }
    }
}
