// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.relay;

import static org.awaitility.Awaitility.await;

import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.jdbc.outbox.Callers;
import io.delayqueue.internal.jdbc.outbox.OutboxTable;
import io.delayqueue.internal.jdbc.outbox.OutboxTransactions;
import io.delayqueue.internal.jdbc.outbox.RejectedTable;
import io.delayqueue.internal.jdbc.schema.Database;
import io.delayqueue.internal.jdbc.schema.TableNames;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

class RelayWorkerTests {

    private static final Duration SHORT = Duration.ofMillis(1);

    /** PostgreSQL's driver reports missing memory as a failure of the database. */
    static Stream<Throwable> failures() {
        return Stream.of(new OutOfMemoryError("test"), new DataAccessResourceFailureException("test"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void roundWhenSoManyRowsFailTakesFewer(Throwable failure) throws InterruptedException {
        Set<Integer> taken = ConcurrentHashMap.newKeySet();
        Loop loop = worker(new Source() {

                    @Override
                    public Duration untilNext() {
                        return Duration.ZERO;
                    }

                    @Override
                    public List<TakenRow> take(int most) {
                        taken.add(most);
                        if (failure instanceof Error error) {
                            throw error;
                        }
                        throw (RuntimeException) failure;
                    }
                })
                .loop();
        loop.start();
        try {
            await().until(() -> taken.equals(Set.of(2, 1)));
        } finally {
            loop.end();
            loop.awaitEnd(Duration.ofSeconds(5));
        }
    }

    private static RelayWorker worker(Source source) {
        DriverManagerDataSource unused = new DriverManagerDataSource();
        RetryGate redis = new RetryGate("Redis", SHORT);
        Sender sender = new Sender(
                () -> {
                    throw new IllegalStateException();
                },
                new Callers(SHORT, new Scheduler()),
                List.of(),
                redis);
        Settlements settlements = new Settlements(
                new OutboxTable(unused, Database.H2, TableNames.DEFAULT),
                new RejectedTable(unused, TableNames.DEFAULT),
                OutboxTransactions.of(unused, Database.H2),
                SHORT);
        return new RelayWorker(
                "test",
                List.of(source),
                sender,
                new Settler(settlements, List.of(), 2, SHORT, grown -> {}),
                new RelaySettings(true, SHORT, SHORT, 2, 2, SHORT),
                redis,
                new RetryGate("The database", SHORT));
    }
}
