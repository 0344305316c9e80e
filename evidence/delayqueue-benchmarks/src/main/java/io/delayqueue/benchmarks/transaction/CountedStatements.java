// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.transaction;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Counts the statements that are prepared or created; each is one statement for the server, or one batch. */
final class CountedStatements extends DelegatingDataSource {

    private final AtomicLong statements;

    CountedStatements(DataSource target, AtomicLong statements) {
        super(target);
        this.statements = statements;
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = super.getConnection();
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().startsWith("prepareStatement")
                            || method.getName().equals("createStatement")) {
                        statements.incrementAndGet();
                    }
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException ex) {
                        throw ex.getCause() != null ? ex.getCause() : ex;
                    }
                });
    }
}
