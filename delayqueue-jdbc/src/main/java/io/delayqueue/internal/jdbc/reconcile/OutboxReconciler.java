// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.reconcile;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.internal.transaction.CurrentTransaction;
import io.delayqueue.jdbc.DelayQueueReconciler;
import io.delayqueue.jdbc.ReconcileException;
import io.delayqueue.jdbc.ReconcileRequest;
import io.delayqueue.jdbc.ReconcileResult;
import io.delayqueue.queue.QueueCatalog;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Compares first what should be in the queue and then what is there, and mends through the outbox. */
public final class OutboxReconciler implements DelayQueueReconciler {

    private static final String ENTITY_MANAGER_HOLDER = "org.springframework.orm.jpa.EntityManagerHolder";

    private static final Logger log = LoggerFactory.getLogger(OutboxReconciler.class);

    private final DelayQueueOperations queues;
    private final DelayQueueAdmin admin;
    private final DueTimes dueTimes;
    private final Mending mending;
    private final InstantSource clock;

    /**
     * @param outbox the operations whose calls within a transaction go to the outbox
     * @param transactions of the outbox's DataSource
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
            throw new IllegalStateException(
                    "Queue '" + request.queue() + "' cannot be compared within a transaction, which"
                            + " may not see what others commit meanwhile. Call reconcile outside of one");
        }
        if (!request.mend().isEmpty() && isInPersistenceContext()) {
            throw new IllegalStateException(
                    "Queue '" + request.queue() + "' cannot be mended while an EntityManager is open"
                            + " on this thread, as in a web request (spring.jpa.open-in-view): it answers with what it read before"
                            + " others changed it. Call reconcile on a thread of its own, such as one of a TaskExecutor");
        }
        ReconcileRun run = new ReconcileRun(request, queues, admin, dueTimes, mending, clock);
        try {
            run.compare();
            log.info("{}", run.line());
            return run.result();
        } catch (RuntimeException ex) {
            log.warn("{}", run.line());
            throw new ReconcileException(
                    "Queue '" + request.queue() + "' was compared with the database until something failed: "
                            + ex.getMessage() + ". Run it again when that is mended",
                    run.result(),
                    ex);
        }
    }

    private static boolean isInPersistenceContext() {
        return TransactionSynchronizationManager.getResourceMap().values().stream()
                .anyMatch(resource -> isHolder(resource.getClass()));
    }

    /** By its name, as there may be no JPA. Hibernate's own holder extends that of JPA. */
    private static boolean isHolder(@Nullable Class<?> type) {
        return type != null && (type.getName().equals(ENTITY_MANAGER_HOLDER) || isHolder(type.getSuperclass()));
    }
}
