// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.reconcile;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.transaction.CurrentTransaction;
import io.delayqueue.jdbc.DelayQueueReconciler;
import io.delayqueue.jdbc.ReconcileException;
import io.delayqueue.jdbc.ReconcileRequest;
import io.delayqueue.jdbc.ReconcileResult;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Compares the expected tasks with the queue, then the queue with the expected tasks, and repairs differences through
 * the outbox.
 */
public final class OutboxReconciler implements DelayQueueReconciler {

    private static final String ENTITY_MANAGER_HOLDER = "org.springframework.orm.jpa.EntityManagerHolder";

    private static final Logger log = LoggerFactory.getLogger(OutboxReconciler.class);

    private final DelayQueueOperations queues;
    private final DelayQueueAdmin admin;
    private final DueTimes dueTimes;
    private final Mending mending;
    private final InstantSource clock;

    /**
     * @param outbox operations that write to the outbox within a transaction
     * @param transactions the transaction manager of the outbox's DataSource
     */
    public OutboxReconciler(
            DelayQueueOperations queues,
            DelayQueueAdmin admin,
            DelayQueueOperations outbox,
            PlatformTransactionManager transactions,
            QueueCatalog catalog,
            InstantSource clock) {
        this.queues = queues;
        this.admin = admin;
        this.dueTimes = new DueTimes(catalog);
        this.mending = new Mending(outbox, transactions, dueTimes);
        this.clock = clock;
    }

    @Override
    public ReconcileResult reconcile(ReconcileRequest request) {
        if (CurrentTransaction.isOpen()) {
            throw new IllegalStateException("Queue '" + request.queue()
                    + "' cannot be compared within a transaction, which may not see concurrent commits. "
                    + "Call reconcile outside a transaction");
        }
        if (!request.mend().isEmpty() && isInPersistenceContext()) {
            throw new IllegalStateException("Queue '" + request.queue()
                    + "' cannot be repaired while an EntityManager is open on this thread, as in a web "
                    + "request (spring.jpa.open-in-view), because it returns outdated entities. Call "
                    + "reconcile on another thread, for example with a TaskExecutor");
        }
        ReconcileRun run = new ReconcileRun(request, queues, admin, dueTimes, mending, clock);
        try {
            run.compare();
            log.info("{}", run.line());
            return run.result();
        } catch (RuntimeException ex) {
            log.warn("{}", run.line());
            throw new ReconcileException(
                    "Queue '" + request.queue() + "': comparison with the database stopped: " + ex.getMessage()
                            + ". Fix the cause and run it again",
                    run.result(),
                    ex);
        }
    }

    private static boolean isInPersistenceContext() {
        return TransactionSynchronizationManager.getResourceMap().values().stream()
                .anyMatch(resource -> isHolder(resource.getClass()));
    }

    /** Checks by name, because JPA may be missing. Hibernate's holder extends JPA's. */
    private static boolean isHolder(@Nullable Class<?> type) {
        return type != null && (type.getName().equals(ENTITY_MANAGER_HOLDER) || isHolder(type.getSuperclass()));
    }
}
