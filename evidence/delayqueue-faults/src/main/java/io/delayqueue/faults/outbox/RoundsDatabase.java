// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.outbox;

import io.delayqueue.test.server.DatabaseServer;
import io.delayqueue.test.server.DatabaseServerBuilder;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/** The databases of rounds. Their calls are made in transactions of such a database. */
public enum RoundsDatabase {
    POSTGRES("postgresql", DatabaseServer::postgres),
    /** PostgreSQL behind a PgBouncer that pools by transaction. */
    PGBOUNCER("postgresql", DatabaseServer::postgres),
    MARIADB("mysql", DatabaseServer::mariaDb);

    private final String platform;
    private final Supplier<DatabaseServerBuilder> builder;

    RoundsDatabase(String platform, Supplier<DatabaseServerBuilder> builder) {
        this.platform = platform;
        this.builder = builder;
    }

    /**
     * Returns the databases with these names in lower case, or PostgreSQL and MariaDB without names.
     *
     * @throws IllegalArgumentException if a name is unknown
     */
    public static List<RoundsDatabase> named(Collection<String> names) {
        return names.isEmpty()
                ? List.of(POSTGRES, MARIADB)
                : names.stream().map(RoundsDatabase::named).toList();
    }

    private static RoundsDatabase named(String name) {
        return Arrays.stream(values())
                .filter(database -> database.toString().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "There are no rounds on '" + name + "', but on " + Arrays.toString(values())));
    }

    /** Returns a server that is not shared with others. */
    DatabaseServer start() {
        return builder.get().unflushed().start();
    }

    /** Returns its name in the scripts of the outbox's tables. */
    String platform() {
        return platform;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
