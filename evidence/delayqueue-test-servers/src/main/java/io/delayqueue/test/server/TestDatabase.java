// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/** One database of a {@link DatabaseServer}, for a test class of its own. */
public record TestDatabase(String jdbcUrl, String user, String password) {

    /** A new connection, past any pool. */
    public Connection connect() throws SQLException {
        return DriverManager.getConnection(jdbcUrl, user, password);
    }
}
