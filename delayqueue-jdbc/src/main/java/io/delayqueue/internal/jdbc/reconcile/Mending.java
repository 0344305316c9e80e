// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.reconcile;

import io.delayqueue.ConflictPolicy;
import io.delayqueue.DelayQueueOperations;
import io.delayqueue.Due;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.jdbc.ReconcileDifference;
import io.delayqueue.jdbc.ReconcileRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Repairs one difference in its own transaction. It writes the change first, which locks the task's outbox row until
 * the end, so that the application's next answer stays valid for the change.
 */
final class Mending {

    private static final Logger log = LoggerFactory.getLogger(Mending.class);

    private final DelayQueueOperations outbox;
    private final TransactionTemplate transaction;
    private final DueTimes dueTimes;

    /** @param transactions the transaction manager of the outbox's DataSource */
    Mending(DelayQueueOperations outbox, PlatformTransactionManager transactions, DueTimes dueTimes) {
        this.outbox = outbox;
        this.dueTimes = dueTimes;
        this.transaction = new TransactionTemplate(transactions);
        transaction.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        // reads after the lock must see what is committed then, not when the transaction began
        transaction.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
    }

    /**
     * Repairs the difference if the request says so.
     *
     * @param expected the task as it should be, or null if it should not exist
     * @return the difference, and whether it was repaired
     */
    ReconcileDifference mend(
            ReconcileRequest request, ReconcileDifference difference, @Nullable ScheduleRequest<?> expected) {
        if (!request.mend().contains(difference.kind())) {
            return difference;
        }
        boolean mended;
        try {
            mended = Boolean.TRUE.equals(transaction.execute(status -> {
                write(request.queue(), difference, expected);
                boolean holds = holds(request, difference);
                if (!holds) {
                    status.setRollbackOnly();
                }
                return holds;
            }));
        } catch (ConcurrencyFailureException | DuplicateKeyException ex) {
            log.debug(
                    "Queue '{}', task '{}': not repaired, because another transaction is changing it",
                    request.queue(),
                    difference.id(),
                    ex);
            mended = false;
        }
        return new ReconcileDifference(
                difference.id(), difference.kind(), difference.expectedDueAt(), difference.foundDueAt(), mended);
    }

    private void write(String queue, ReconcileDifference difference, @Nullable ScheduleRequest<?> expected) {
        switch (difference.kind()) {
            case MISSING -> {
                if (expected != null) {
                    // does not replace a task that was scheduled in the meantime
                    outbox.schedule(
                            expected.toBuilder().onConflict(ConflictPolicy.KEEP).build());
                }
            }
            case WRONG_DUE_TIME ->
                outbox.reschedule(
                        queue,
                        difference.id(),
                        Due.at(difference.expectedDueAt().orElseThrow()));
            case LEFT_OVER -> outbox.cancel(queue, difference.id());
            case DEAD -> throw new IllegalArgumentException("Dead tasks are not repaired");
        }
    }

    /** Returns whether the application's answer is unchanged. */
    private boolean holds(ReconcileRequest request, ReconcileDifference difference) {
        return request.expected().find(List.of(difference.id())).stream()
                .filter(task -> task.id().equals(difference.id()))
                .findFirst()
                .map(dueTimes::of)
                .equals(difference.expectedDueAt());
    }
}
