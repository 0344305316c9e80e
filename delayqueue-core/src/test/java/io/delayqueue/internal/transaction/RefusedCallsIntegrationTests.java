// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.transaction;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.delayqueue.CancelOutcome;
import io.delayqueue.Due;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.TransactionMismatchException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

class RefusedCallsIntegrationTests {

    private static final Duration HOUR = Duration.ofHours(1);

    @AutoClose
    private final TransactionalQueues queues = new TransactionalQueues(changes -> new RefusedCalls());

    private final MemoryTransactions transactions = new MemoryTransactions();

    @Test
    void everyCallThatChangesSomethingWhenInATransactionIsRefusedWithWhatToDo() {
        ScheduleRequest<?> request = requestTo("orders", "a", "x", HOUR);
        transactions.required().executeWithoutResult(status -> {
            for (ThrowingCallable call : List.<ThrowingCallable>of(
                    () -> queues.template.schedule(request),
                    () -> queues.template.scheduleAll(List.of(request)),
                    () -> queues.template.cancel("orders", "a"),
                    () -> queues.template.cancel("orders", List.of("a")),
                    () -> queues.template.cancelEverywhere("a"),
                    () -> queues.template.reschedule("orders", "a", Due.after(HOUR)),
                    () -> queues.template.reschedule("orders", List.of("a"), Due.after(HOUR)),
                    () -> queues.template.reschedule("orders", "a", Due.now()),
                    () -> queues.template.updatePayload("orders", "a", "y"),
                    () -> queues.template.queue("orders", String.class).cancel("a"))) {
                assertThatExceptionOfType(TransactionMismatchException.class)
                        .isThrownBy(call)
                        .withMessageContaining("Queue 'orders'")
                        .withMessageContaining("'a'")
                        .withMessageContaining("delayqueue.transactions")
                        .withMessageContaining("@TransactionalEventListener");
            }
            assertThat(queues.template.async().schedule(request))
                    .failsWithin(HOUR)
                    .withThrowableOfType(ExecutionException.class)
                    .havingCause()
                    .isInstanceOf(TransactionMismatchException.class);
            assertThat(queues.template.find("orders", "a")).isEmpty();
            assertThatExceptionOfType(TransactionMismatchException.class)
                    .isThrownBy(() -> queues.template.group("orders", "g").cancel())
                    .withMessageContaining("group '{g}~'");
            assertThat(queues.template.group("orders", "g").count()).isZero();
        });
        assertThat(queues.calls()).doesNotContain("schedule", "cancel", "reschedule", "update");
    }

    @Test
    void callsWhenThereIsNoTransactionOrItHasCommittedAreMade() {
        List<CancelOutcome> outcomes = new ArrayList<>();
        outcomes.add(queues.template.cancel("orders", "a"));
        transactions.required().executeWithoutResult(status -> {
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    outcomes.add(queues.template.cancel("orders", "a"));
                }

                @Override
                public void afterCompletion(int completion) {
                    outcomes.add(queues.template.cancel("orders", "a"));
                }
            });
            transactions
                    .with(TransactionDefinition.PROPAGATION_NOT_SUPPORTED)
                    .executeWithoutResult(suspended -> outcomes.add(queues.template.cancel("orders", "a")));
        });
        assertThat(outcomes).hasSize(4).containsOnly(CancelOutcome.NOT_FOUND);
    }

    @Test
    void callsWhenATransactionBeginsInACallbackAfterTheCommitAreRefused() {
        List<Boolean> open = new ArrayList<>();
        transactions
                .required()
                .executeWithoutResult(status ->
                        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                            @Override
                            public void afterCommit() {
                                open.add(CurrentTransaction.isOpen());
                                transactions
                                        .with(TransactionDefinition.PROPAGATION_REQUIRES_NEW)
                                        .executeWithoutResult(inner -> {
                                            open.add(CurrentTransaction.isOpen());
                                            TransactionSynchronizationManager.registerSynchronization(
                                                    new TransactionSynchronization() {});
                                            open.add(CurrentTransaction.isOpen());
                                        });
                                open.add(CurrentTransaction.isOpen());
                            }
                        }));
        assertThat(open).containsExactly(false, true, true, false);
    }
}
