// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.reconcile;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.internal.transaction.CurrentTransaction;
import io.delayqueue.jdbc.DelayQueueReconciler;
import io.delayqueue.jdbc.ReconcileDifference;
import io.delayqueue.jdbc.ReconcileException;
import io.delayqueue.jdbc.ReconcileRequest;
import io.delayqueue.jdbc.ReconcileResult;
import java.time.InstantSource;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Compares first what should be in the queue and then what is there, and mends through the outbox. */
public final class OutboxReconciler implements DelayQueueReconciler {

    private static final String ENTITY_MANAGER_HOLDER = "org.springframework.orm.jpa.EntityManagerHolder";

    private static final Logger log = LoggerFactory.getLogger(OutboxReconciler.class);

    private final DelayQueueOperations queues;
    private final DelayQueueAdmin admin;
    private final Mending mending;
    private final DueTimes dueTimes;
    private final InstantSource clock;

    public OutboxReconciler(
            DelayQueueOperations queues,
            DelayQueueAdmin admin,
            Mending mending,
            DueTimes dueTimes,
            InstantSource clock) {
        this.queues = queues;
        this.admin = admin;
        this.mending = mending;
        this.dueTimes = dueTimes;
        this.clock = clock;
    }

    private static boolean isInPersistenceContext() {
        return TransactionSynchronizationManager.getResourceMap().values().stream()
                .anyMatch(resource -> isHolder(resource.getClass()));
    }

    /** By its name, as there may be no JPA. Hibernate's own holder extends that of JPA. */
    private static boolean isHolder(@Nullable Class<?> type) {
        return type != null && (type.getName().equals(ENTITY_MANAGER_HOLDER) || isHolder(type.getSuperclass()));
    }

    @Override
    public ReconcileResult reconcile(ReconcileRequest request) {
        if (CurrentTransaction.isOpen()) {
            throw new IllegalStateException(
                    "Queue '" + request.queue() + "' cannot be compared within a transaction, which"
                            + " may not see what others commit meanwhile. Call reconcile outside of one");
        }
        if (Stream.of(ReconcileDifference.Kind.values()).anyMatch(request::mends) && isInPersistenceContext()) {
            throw new IllegalStateException(
                    "Queue '" + request.queue() + "' cannot be mended while an EntityManager is open"
                            + " on this thread, as in a web request (spring.jpa.open-in-view): it answers with what it read before"
                            + " others changed it. Call reconcile on a thread of its own, such as one of a TaskExecutor");
        }
        Tally tally = new Tally(request);
        Comparison comparison = new Comparison(queues, request, dueTimes, clock);
        try {
            if (!request.from().leftOvers()) {
                new ExpectedPass(request, comparison, mending, tally).run();
            }
            if (tally.place().leftOvers() && request.leftOvers()) {
                new LeftOverPass(request, comparison, admin, mending, tally).run();
            }
        } catch (RuntimeException ex) {
            ReconcileResult result = tally.result();
            log.warn("{}", tally.line());
            throw new ReconcileException(
                    "Queue '" + request.queue() + "' was compared with the database until something failed: "
                            + ex.getMessage() + ". Go on from result().next() when that is mended",
                    result,
                    ex);
        }
        log.info("{}", tally.line());
        return tally.result();
    }
}
