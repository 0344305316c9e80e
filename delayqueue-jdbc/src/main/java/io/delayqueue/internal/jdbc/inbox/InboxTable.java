// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.inbox;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcOperations;

/** The inbox's table in whatever database it is. The database is asked for its kind when first needed, and once. */
public final class InboxTable {

    private final JdbcOperations jdbc;
    private final String name;
    private volatile @Nullable InboxSql sql;

    public InboxTable(JdbcOperations jdbc, String name) {
        this.jdbc = jdbc;
        this.name = name;
    }

    String insert() {
        return sql().insert(name);
    }

    String deleteOld(int most) {
        return sql().deleteOld(name, most);
    }

    private InboxSql sql() {
        InboxSql known = sql;
        if (known == null) {
            known = InboxSql.of(requireNonNull(jdbc.execute((ConnectionCallback<String>)
                    connection -> connection.getMetaData().getDatabaseProductName())));
            sql = known;
        }
        return known;
    }
}
