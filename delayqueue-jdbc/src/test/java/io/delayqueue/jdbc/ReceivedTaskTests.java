// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.delayqueue.DelayQueueException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReceivedTaskTests {

    private static final String KEY = "0123456789abcdefABCD-_";

    @Test
    void ofWhenTheHeadersAreThoseOfATaskTakesQueueAndKey() {
        assertThat(ReceivedTask.of(Map.of("dq-queue", "orders", "dq-task-key", KEY, "dq-attempt", 1)))
                .isEqualTo(new ReceivedTask("orders", KEY));
        assertThat(new ReceivedTask("orders", KEY).by("invoices")).isEqualTo(new ReceivedTask("invoices", KEY));
    }

    @Test
    void ofWhenTheHeadersAreNotThoseOfATaskIsRefused() {
        assertThatExceptionOfType(DelayQueueException.class)
                .isThrownBy(() -> ReceivedTask.of(Map.of("dq-queue", "orders")))
                .withMessageContaining("dq-task-key");
        assertThatExceptionOfType(DelayQueueException.class)
                .isThrownBy(() -> ReceivedTask.of(Map.of("dq-task-key", KEY)))
                .withMessageContaining("dq-queue");
        assertThatExceptionOfType(DelayQueueException.class)
                .isThrownBy(() -> new ReceivedTask("orders", "order-42"))
                .withMessageContaining("8 characters");
        assertThatIllegalArgumentException().isThrownBy(() -> new ReceivedTask("", KEY));
        assertThatIllegalArgumentException().isThrownBy(() -> new ReceivedTask("x".repeat(65), KEY));
        assertThatIllegalArgumentException().isThrownBy(() -> new ReceivedTask("orders ", KEY));
    }
}
