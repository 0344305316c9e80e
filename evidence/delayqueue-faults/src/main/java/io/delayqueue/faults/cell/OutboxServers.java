// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import io.delayqueue.faults.history.Entry;
import io.delayqueue.faults.history.Event;
import io.delayqueue.faults.history.Event.Answer;
import io.delayqueue.faults.history.Histories;
import io.delayqueue.faults.history.HistoryWriter;
import io.delayqueue.faults.load.TransactionalCalls;
import io.delayqueue.test.server.DatabaseServer;
import io.delayqueue.test.server.DatabaseServerBuilder;
import io.delayqueue.test.server.TestDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** Servers with a database. The applications make their calls in its transactions. */
final class OutboxServers extends StandaloneServers {

    /** Longest wait of a row that a killed process had taken: the rest of its lease, a search and a pause. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(15 + 1 + 5);

    private static final long LONGEST_TRANSACTION = TimeUnit.SECONDS.toMicros(10);

    private final DatabaseServer server;
    private final TestDatabase database;
    private final JdbcTemplate jdbc;
    private final NavigableSet<Long> seenEmpty = new ConcurrentSkipListSet<>();
    private final Thread looking = new Thread(this::look, "faults-outbox");
    private volatile boolean closed;

    private OutboxServers(DatabaseServerBuilder builder) {
        this.server = builder.start();
        this.database = server.createDatabase("faults");
        this.jdbc =
                new JdbcTemplate(new DriverManagerDataSource(database.jdbcUrl(), database.user(), database.password()));
        try {
            jdbc.execute(TransactionalCalls.TABLE);
        } catch (RuntimeException ex) {
            close();
            throw ex;
        }
        looking.setDaemon(true);
        looking.start();
    }

    private void look() {
        while (!closed) {
            isDrained();
            try {
                TimeUnit.MILLISECONDS.sleep(50);
            } catch (InterruptedException ex) {
                return;
            }
        }
    }

    static OutboxServers postgres() {
        return new OutboxServers(DatabaseServer.postgres());
    }

    static OutboxServers mariaDb() {
        return new OutboxServers(DatabaseServer.mariaDb());
    }

    DatabaseServer database() {
        return server;
    }

    @Override
    public List<String> forApplications() {
        List<String> properties = new ArrayList<>(super.forApplications());
        properties.add("spring.autoconfigure.exclude=");
        properties.add("spring.datasource.url=" + database.jdbcUrl());
        properties.add("spring.datasource.username=" + database.user());
        properties.add("spring.datasource.password=" + database.password());
        properties.add("spring.datasource.hikari.connection-timeout=2000");
        properties.add("delayqueue.jdbc.initialize-schema=always");
        properties.add("faults.outbox=true");
        return properties;
    }

    @Override
    public boolean isDrained() {
        long begun = HistoryWriter.micros();
        try {
            boolean empty =
                    Objects.equals(jdbc.queryForObject("SELECT COUNT(*) FROM delayqueue_outbox", Long.class), 0L);
            if (empty) {
                seenEmpty.add(begun);
            }
            return empty;
        } catch (DataAccessException ex) {
            return false;
        }
    }

    /** Returns rows of committed calls that never reached Redis. */
    @Override
    public List<String> leftOver() {
        return isDrained() ? List.of() : List.of("the outbox has rows, or cannot be read");
    }

    @Override
    public Duration longestWait() {
        return LONGEST_WAIT;
    }

    /**
     * Records answers to the calls of all applications that the database knows as committed. They were executed at the
     * latest when the outbox was seen empty after the certain end of their transactions. It is unknown whether a
     * committed cancel or reschedule found a task.
     */
    @Override
    public void complete(Path histories) {
        Set<List<Object>> committed = committed();
        List<Entry> answers = new ArrayList<>();
        for (Entry entry : Histories.read(histories)) {
            if (entry.event() instanceof Event.Invoked call) {
                boolean wasCommitted = committed.contains(List.of(entry.process(), call.call()));
                Long empty = seenEmpty.ceiling(entry.micros() + LONGEST_TRANSACTION);
                long at = empty != null ? empty : HistoryWriter.micros();
                answers.add(
                        new Entry(entry.process(), Long.MAX_VALUE, at, entry.wallMillis(), answer(call, wasCommitted)));
            }
        }
        Histories.add(histories, "database", answers);
    }

    private static Event.Answered answer(Event.Invoked call, boolean committed) {
        Answer answer = committed ? Answer.OK : Answer.FAIL;
        return new Event.Answered(call.call(), answer, committed ? "COMMITTED" : null, null, null, null);
    }

    private Set<List<Object>> committed() {
        return Set.copyOf(jdbc.query(
                "SELECT process, call_number FROM faults_calls",
                (row, number) -> List.<Object>of(row.getString(1), row.getLong(2))));
    }

    @Override
    public String versions() {
        try (Connection connection = database.connect()) {
            return super.versions() + ", " + connection.getMetaData().getDatabaseProductName() + " "
                    + connection.getMetaData().getDatabaseProductVersion().split("[ -]")[0];
        } catch (SQLException ex) {
            throw new IllegalStateException(ex);
        }
    }

    @Override
    public void close() {
        closed = true;
        looking.interrupt();
        super.close();
        server.close();
    }
}
