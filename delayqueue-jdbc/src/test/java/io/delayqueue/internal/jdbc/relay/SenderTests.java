// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.jdbc.outbox.Callers;
import io.delayqueue.internal.jdbc.outbox.Operation;
import io.delayqueue.internal.jdbc.outbox.OperationFormat;
import io.delayqueue.internal.jdbc.outbox.OutboxRow;
import io.delayqueue.internal.jdbc.outbox.RowKey;
import io.delayqueue.internal.transaction.TaskChange;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class SenderTests {

    @Test
    void rowsWhenSomethingUnforeseenFailsAreToBeSentAgain() {
        RetryGate redis = new RetryGate("Redis", Duration.ofSeconds(1));
        Sender sender = new Sender(
                () -> {
                    throw new IllegalStateException("not foreseen");
                },
                new Callers(Duration.ofSeconds(1), new Scheduler()),
                List.of(),
                redis);
        OutboxRow row = new OutboxRow(
                RowKey.of("orders", "a"),
                "orders",
                "a",
                1,
                OperationFormat.encode(new Operation(5, new TaskChange.Cancel("orders", "a", 0)), 0),
                0,
                0,
                1000);

        assertThat(sender.send(List.of(new TakenRow(row, 1001, 0)), System.nanoTime() + 1_000_000_000L))
                .singleElement()
                .satisfies(sent -> {
                    assertThat(sent.isDone()).isFalse();
                    assertThat(sent.isUncertain()).isTrue();
                    assertThat(sent.rejected()).isEmpty();
                });
    }
}
