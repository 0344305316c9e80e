// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.inbox;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Deletes the inbox's rows that are older than the retention, on a thread of its own ({@code delayqueue-inbox-1}). Each
 * batch is one statement and a transaction of its own. Several processes may do so at the same time.
 */
public final class InboxCleanup implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(InboxCleanup.class);

    private final JdbcTemplate jdbc;
    private final TransactionTemplate transactions;
    private final InboxTable table;
    private final Options options;
    private final Clock clock;
    private @Nullable ScheduledExecutorService thread;
    private boolean failing;

    public InboxCleanup(DataSource dataSource, InboxTable table, Options options, Clock clock) {
        this.jdbc = new JdbcTemplate(dataSource);
        this.transactions = new TransactionTemplate(new JdbcTransactionManager(dataSource));
        this.table = table;
        this.options = options;
        this.clock = clock;
    }

    /**
     * How the inbox is cleaned.
     *
     * @param retention how long a row is kept
     * @param interval from the end of one round to the next
     * @param batchSize rows that one statement deletes at most
     */
    public record Options(Duration retention, Duration interval, int batchSize) {}

    @Override
    public synchronized void start() {
        if (thread == null) {
            ScheduledExecutorService started = Executors.newSingleThreadScheduledExecutor(work -> {
                Thread named = new Thread(work, "delayqueue-inbox-1");
                named.setDaemon(true);
                return named;
            });
            long millis = options.interval().toMillis();
            // processes that start together do not look together
            long first = ThreadLocalRandom.current().nextLong(millis);
            started.scheduleWithFixedDelay(this::round, first, millis, TimeUnit.MILLISECONDS);
            thread = started;
        }
    }

    @Override
    public synchronized void stop() {
        if (thread != null) {
            thread.shutdownNow();
            thread = null;
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return thread != null;
    }

    /**
     * Deletes what is old now, batch after batch, until none is left or the thread is interrupted.
     *
     * @return how many rows
     */
    long clean() {
        long before = clock.millis() - options.retention().toMillis();
        String delete = table.deleteOld(options.batchSize());
        long deleted = 0;
        int batch = options.batchSize();
        while (batch == options.batchSize() && !Thread.currentThread().isInterrupted()) {
            batch = requireNonNull(transactions.execute(status -> jdbc.update(delete, before)));
            deleted += batch;
        }
        return deleted;
    }

    private void round() {
        try {
            long deleted = clean();
            if (deleted > 0) {
                log.debug("Deleted {} rows of the inbox that were older than {}", deleted, options.retention());
            }
            if (failing) {
                failing = false;
                log.info("Old rows of the inbox are deleted again");
            }
        } catch (RuntimeException ex) {
            if (!failing && isRunning()) {
                failing = true;
                log.warn(
                        "Old rows of the inbox cannot be deleted; this is tried again every {}",
                        options.interval(),
                        ex);
            }
        }
    }
}
