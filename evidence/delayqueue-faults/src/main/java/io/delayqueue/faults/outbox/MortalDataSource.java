// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.outbox;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** The database of a {@link Mortal}: each statement and commit of the outbox is a step. */
final class MortalDataSource extends DelegatingDataSource {

    private final Mortal mortal;

    MortalDataSource(DataSource target, Mortal mortal) {
        super(target);
        this.mortal = mortal;
    }

    @Override
    public Connection getConnection() throws SQLException {
        mortal.alive();
        Connection connection = super.getConnection();
        try {
            mortal.opened(connection);
        } catch (SQLException ex) {
            connection.close();
            throw ex;
        }
        return proxy(Connection.class, new ConnectionSteps(connection, mortal));
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private static @Nullable Object call(Object target, Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException ex) {
            throw ex.getCause() != null ? ex.getCause() : ex;
        }
    }

    /** One connection; used by one thread at a time. */
    private static final class ConnectionSteps implements InvocationHandler {

        private final Connection connection;
        private final Mortal mortal;
        private @Nullable Step last;

        ConnectionSteps(Connection connection, Mortal mortal) {
            this.connection = connection;
            this.mortal = mortal;
        }

        @Override
        public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
            switch (method.getName()) {
                case "close" -> {
                    ended();
                    mortal.closed(connection);
                    return call(connection, method, arguments);
                }
                case "commit" -> {
                    return commit(method);
                }
                case "rollback" -> {
                    if (arguments == null) {
                        ended();
                    }
                    return call(connection, method, arguments);
                }
                case "prepareStatement" -> {
                    mortal.alive();
                    Object statement = call(connection, method, arguments);
                    Step step = arguments == null ? null : Step.of(String.valueOf(arguments[0]));
                    if (step == null || statement == null) {
                        return statement;
                    }
                    return proxy(PreparedStatement.class, (self, of, with) -> execute(step, statement, of, with));
                }
                default -> {
                    return call(connection, method, arguments);
                }
            }
        }

        private @Nullable Object execute(Step step, Object statement, Method method, Object @Nullable [] arguments)
                throws Throwable {
            if (!method.getName().startsWith("execute")) {
                return call(statement, method, arguments);
            }
            mortal.reach(new FailurePoint(step, false));
            boolean alone = connection.getAutoCommit();
            if (alone) {
                mortal.reach(new FailurePoint(step.commit(), false));
            }
            Object result = call(statement, method, arguments);
            if (!alone && last == null) {
                mortal.inTransaction(1);
            }
            last = alone ? null : step;
            mortal.reach(new FailurePoint(step, true));
            if (alone) {
                mortal.reach(new FailurePoint(step.commit(), true));
            }
            return result;
        }

        private @Nullable Object commit(Method method) throws Throwable {
            Step step = last;
            if (step == null) {
                mortal.alive();
                return call(connection, method, null);
            }
            mortal.reach(new FailurePoint(step.commit(), false));
            ended();
            Object result = call(connection, method, null);
            mortal.reach(new FailurePoint(step.commit(), true));
            return result;
        }

        private void ended() {
            if (last != null) {
                last = null;
                mortal.inTransaction(-1);
            }
        }
    }
}
