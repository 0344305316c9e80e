// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import java.net.URI;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.regex.Pattern;

/** Creates databases on a server that is up. */
record DatabaseCreation(DatabaseProduct product, URI uri) {

    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]{0,59}");

    TestDatabase create(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("Not the name of a database: " + name);
        }
        try (Connection connection = database(product.firstDatabase()).connect();
                Statement statement = connection.createStatement()) {
            for (String command : product.recreate(name)) {
                statement.execute(command);
            }
        } catch (SQLException e) {
            throw new TestServerException(
                    "Cannot create the database " + name + " on " + product.name() + " at " + uri.getHost() + ":"
                            + port() + ": " + e.getMessage() + ". Its JDBC driver must be on the test class path.",
                    e);
        }
        return database(name);
    }

    private TestDatabase database(String name) {
        String userInfo = uri.getUserInfo() == null ? DatabaseProduct.USER : uri.getUserInfo();
        int colon = userInfo.indexOf(':');
        String user = colon < 0 ? userInfo : userInfo.substring(0, colon);
        String password = colon < 0 ? "" : userInfo.substring(colon + 1);
        return new TestDatabase(product.jdbcUrl(uri.getHost(), port(), name), user, password);
    }

    private int port() {
        return uri.getPort() > 0 ? uri.getPort() : product.defaultPort();
    }
}
