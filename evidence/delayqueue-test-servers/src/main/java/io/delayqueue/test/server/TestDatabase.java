// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/** A database of a {@link DatabaseServer}, for one test class. */
public record TestDatabase(String jdbcUrl, String user, String password) {

    /** Opens a new connection without a pool. */
    public Connection connect() throws SQLException {
        return DriverManager.getConnection(jdbcUrl, user, password);
    }
}
