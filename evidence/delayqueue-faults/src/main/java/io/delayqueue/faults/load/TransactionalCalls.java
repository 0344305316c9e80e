// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.load;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.Due;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.TransactionMode;
import io.delayqueue.faults.history.Event;
import io.delayqueue.faults.history.Event.Answer;
import io.delayqueue.faults.history.Event.Verb;
import io.delayqueue.faults.history.HistoryWriter;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Makes each call in a transaction that also writes the call's number to a table; a fifth of them roll back. The table
 * shows the committed calls, so no answers are recorded here. Thread-safe.
 */
public final class TransactionalCalls implements TaskCalls {

    /** The table of the numbers, with the process and the call of each. */
    public static final String TABLE = "CREATE TABLE faults_calls (process VARCHAR(100) NOT NULL, call_number BIGINT"
            + " NOT NULL, PRIMARY KEY (process, call_number))";

    private static final Logger log = LoggerFactory.getLogger(TransactionalCalls.class);
    private static final int ROLLED_BACK_PERCENT = 20;

    private final DelayQueueOperations outbox;
    private final TransactionTemplate transactions;
    private final JdbcTemplate jdbc;
    private final String process;
    private final Random random;
    private final HistoryWriter history;
    private final RedisClock clock;
    private final AtomicLong numbers = new AtomicLong();

    TransactionalCalls(
            DelayQueueOperations outbox,
            TransactionTemplate transactions,
            JdbcTemplate jdbc,
            LoadSettings settings,
            HistoryWriter history,
            RedisClock clock) {
        this.outbox = outbox.inTransaction(TransactionMode.OUTBOX);
        this.transactions = transactions;
        this.jdbc = jdbc;
        this.process = settings.process();
        this.random = settings.random("rollback");
        this.history = history;
        this.clock = clock;
    }

    @Override
    public Answer schedule(ScheduleRequest<?> request, String version) {
        Due due = request.due();
        Event.Invoked invoked = new Event.Invoked(
                numbers.incrementAndGet(),
                Verb.SCHEDULE,
                request.queue(),
                request.id(),
                version,
                request.conflictPolicy(),
                due.relative() ? (Long) due.millis() : null,
                due.relative() ? null : (Long) due.millis(),
                HexFormat.of().formatHex(request.requestId()),
                clock.earliestMicros());
        return inTransaction(invoked, () -> outbox.schedule(request));
    }

    @Override
    public Answer cancel(String queue, String id) {
        return inTransaction(invoked(Verb.CANCEL, queue, id, null), () -> outbox.cancel(queue, id));
    }

    @Override
    public Answer reschedule(String queue, String id, Duration delay) {
        return inTransaction(
                invoked(Verb.RESCHEDULE, queue, id, delay.toMillis()),
                () -> outbox.reschedule(queue, id, Due.after(delay)));
    }

    private Event.Invoked invoked(Verb verb, String queue, String id, @Nullable Long delayMillis) {
        return new Event.Invoked(
                numbers.incrementAndGet(),
                verb,
                queue,
                id,
                null,
                null,
                delayMillis,
                null,
                null,
                clock.earliestMicros());
    }

    /** Never returns UNKNOWN, so that no request is sent twice: the table finally shows what was committed. */
    private Answer inTransaction(Event.Invoked invoked, Runnable call) {
        history.write(invoked);
        boolean rolledBack = random.nextInt(100) < ROLLED_BACK_PERCENT;
        try {
            transactions.executeWithoutResult(status -> {
                call.run();
                jdbc.update("INSERT INTO faults_calls VALUES (?, ?)", process, invoked.call());
                if (rolledBack) {
                    status.setRollbackOnly();
                }
            });
            return rolledBack ? Answer.FAIL : Answer.OK;
        } catch (DataAccessException | TransactionException ex) {
            log.debug("A transaction failed", ex);
        } catch (RuntimeException ex) {
            log.error("A call failed as no call should", ex);
        }
        return Answer.FAIL;
    }
}
