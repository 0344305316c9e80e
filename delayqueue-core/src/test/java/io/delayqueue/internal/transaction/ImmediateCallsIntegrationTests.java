// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.CancelOutcome;
import io.delayqueue.LogLines;
import io.delayqueue.TypedQueue;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class ImmediateCallsIntegrationTests {

    @AutoClose
    private final TransactionalQueues queues = new TransactionalQueues(changes -> new ImmediateCalls());

    private final MemoryTransactions transactions = new MemoryTransactions();

    @Test
    void callsWhenInATransactionAreMadeAtOnceAndEachPlaceIsToldOfOnce() {
        TypedQueue<String> typed = queues.template.queue("orders", String.class);
        List<String> told;
        try (LogLines log = new LogLines()) {
            for (int i = 0; i < 3; i++) {
                transactions.required().executeWithoutResult(status -> {
                    assertThat(queues.template.cancel("orders", "a")).isEqualTo(CancelOutcome.NOT_FOUND);
                    assertThat(typed.cancel("a")).isEqualTo(CancelOutcome.NOT_FOUND);
                });
                queues.template.cancel("orders", "b");
            }
            told = log.all().stream()
                    .filter(line -> line.contains("within a transaction"))
                    .toList();
        }
        assertThat(told).hasSize(2).allMatch(line -> line.contains("ImmediateCallsIntegrationTests.java:"));
    }

    @Test
    void isOpenWhenTheLoggerIsNotAtDebugLooksAtNothing() {
        transactions.required().executeWithoutResult(status -> {
            assertThat(new ImmediateCalls().isOpen()).isFalse();
        });
    }
}
