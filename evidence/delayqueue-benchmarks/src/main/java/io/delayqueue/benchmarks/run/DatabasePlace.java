// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.run;

import io.delayqueue.benchmarks.result.Run;
import io.delayqueue.benchmarks.subject.Subjects;
import io.delayqueue.test.server.DatabaseServer;
import io.delayqueue.test.server.TestDatabase;
import org.jspecify.annotations.Nullable;

/** A fresh database server for one run. It flushes each commit, which is the default. */
final class DatabasePlace implements AutoCloseable {

    private final DatabaseServer server;
    private final TestDatabase orders;

    private DatabasePlace(DatabaseServer server) {
        this.server = server;
        this.orders = server.createDatabase("orders");
    }

    /** Returns null if neither the variant nor the subject has a database. */
    static @Nullable DatabasePlace of(String variant, String subject) {
        return switch (variant) {
            case Run.POSTGRES -> postgres();
            case Run.MARIADB ->
                new DatabasePlace(DatabaseServer.mariaDb()
                        .config("innodb-buffer-pool-size=512M")
                        .config("innodb-log-file-size=1G")
                        .start());
            default -> subject.equals(Subjects.DB_SCHEDULER) ? postgres() : null;
        };
    }

    private static DatabasePlace postgres() {
        return new DatabasePlace(DatabaseServer.postgres()
                .config("shared_buffers=512MB")
                .config("max_wal_size=4GB")
                .start());
    }

    TestDatabase orders() {
        return orders;
    }

    @Override
    public void close() {
        server.close();
    }
}
