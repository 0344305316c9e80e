// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.inbox;

import static java.util.Objects.requireNonNull;

import io.delayqueue.internal.concurrent.BackgroundWorker;
import io.delayqueue.internal.jdbc.Unobserved;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Deletes old inbox rows in the background. Each batch is one statement in its own transaction. Several processes may
 * clean up concurrently.
 */
public final class InboxCleanup implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(InboxCleanup.class);

    private final JdbcTemplate jdbc;
    private final TransactionTemplate transactions;
    private final InboxTable table;
    private final Options options;
    private final Clock clock;
    private final BackgroundWorker thread;
    private boolean failing;

    public InboxCleanup(
            DataSource dataSource, InboxTable table, Options options, Clock clock, BackgroundWorker thread) {
        this.jdbc = new JdbcTemplate(dataSource);
        this.transactions = new TransactionTemplate(new JdbcTransactionManager(dataSource));
        this.table = table;
        this.options = options;
        this.clock = clock;
        this.thread = thread;
    }

    /**
     * Options for the clean-up.
     *
     * @param retention time to keep a row
     * @param interval time between rounds; a round that takes longer skips turns
     * @param batchSize maximum number of rows that one statement deletes
     */
    public record Options(Duration retention, Duration interval, int batchSize) {}

    /**
     * Starts at a random time within the interval, so that processes that start together do not clean up at the same
     * time.
     */
    public void start() {
        long interval = options.interval().toMillis();
        Duration first = Duration.ofMillis(ThreadLocalRandom.current().nextLong(interval));
        thread.every(first, options.interval(), this::round);
    }

    @Override
    public void close() {
        thread.close();
    }

    /**
     * Deletes all rows that are old now, in batches, until none are left or the thread is interrupted.
     *
     * @return the number of deleted rows
     */
    long clean() {
        long before = clock.millis() - options.retention().toMillis();
        String delete = table.deleteOld(options.batchSize());
        long deleted = 0;
        int batch = options.batchSize();
        while (batch == options.batchSize() && !Thread.currentThread().isInterrupted()) {
            batch = requireNonNull(Unobserved.call(() -> transactions.execute(status -> jdbc.update(delete, before))));
            deleted += batch;
        }
        return deleted;
    }

    private void round() {
        try {
            long deleted = clean();
            if (deleted > 0) {
                log.debug("Deleted {} inbox rows older than {}", deleted, options.retention());
            }
            if (failing) {
                failing = false;
                log.info("Deleting old inbox rows works again");
            }
        } catch (Throwable ex) {
            if (!failing && !thread.isClosed()) {
                failing = true;
                log.warn("Could not delete old inbox rows; retrying every {}", options.interval(), ex);
            }
        }
    }
}
