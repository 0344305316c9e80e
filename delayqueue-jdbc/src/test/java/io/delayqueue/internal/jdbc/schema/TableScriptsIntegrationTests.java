// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.test.junit.DelayQueueServers;
import io.delayqueue.test.server.TestDatabase;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

@DelayQueueServers(database = DelayQueueServers.Database.POSTGRES)
class TableScriptsIntegrationTests {

    private static final int PROCESSES = 4;
    private static final int ROUNDS = 10;

    @Test
    void runWhenTheTablesExistDoesNotWaitForTransactions(TestDatabase server) throws Exception {
        DriverManagerDataSource database =
                new DriverManagerDataSource(server.jdbcUrl(), server.user(), server.password());
        TableNames names = new TableNames("busy_");
        TableScripts scripts = new TableScripts(database, DatabaseInitializationMode.ALWAYS, names);
        scripts.run();
        try (Connection open = database.getConnection()) {
            open.setAutoCommit(false);
            for (String table : List.of(names.outbox(), names.inbox())) {
                open.createStatement().execute("DELETE FROM " + table);
            }

            assertThat(CompletableFuture.supplyAsync(scripts::run)).succeedsWithin(Duration.ofSeconds(30));
        }
    }

    @Test
    void runWhenSeveralProcessesStartTogetherMakesTheTablesForAll(TestDatabase server) throws Exception {
        DriverManagerDataSource database =
                new DriverManagerDataSource(server.jdbcUrl(), server.user(), server.password());
        ExecutorService processes = Executors.newFixedThreadPool(PROCESSES);
        try {
            CyclicBarrier together = new CyclicBarrier(PROCESSES);
            for (int round = 0; round < ROUNDS; round++) {
                TableNames names = new TableNames("round" + round + "_");
                List<Future<Boolean>> all = new ArrayList<>();
                for (int i = 0; i < PROCESSES; i++) {
                    TableScripts scripts = new TableScripts(database, DatabaseInitializationMode.ALWAYS, names);
                    all.add(processes.submit(() -> {
                        together.await();
                        return scripts.run();
                    }));
                }
                for (Future<Boolean> one : all) {
                    assertThat(one.get(60, TimeUnit.SECONDS)).isTrue();
                }
                assertThat(new JdbcTemplate(database)
                                .queryForList(
                                        "SELECT component FROM " + names.prefix() + "schema_version ORDER BY 1",
                                        String.class))
                        .containsExactly("inbox", "outbox");
            }
        } finally {
            processes.shutdownNow();
        }
    }
}
