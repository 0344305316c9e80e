// SPDX-License-Identifier: Apache-2.0
package com.example.programs;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.test.DelayQueueTest;
import io.delayqueue.test.DelayQueueTestKit;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

@DelayQueueTest(value = Deadlines.class, queues = "orders")
class DeadlinesIntegrationTests {

    @Test
    void orderWhenNobodyPaysIsClosedAfterHalfAnHour(@Autowired Deadlines deadlines, @Autowired DelayQueueTestKit kit) {
        deadlines.placed("order-42");
        assertThat(kit.queue("orders")).hasTask("order-42").dueIn(Duration.ofMinutes(30));
        kit.advance(Duration.ofMinutes(30));
        assertThat(kit.queue("orders")).hasNoTasks().hasNoDeadTasks();
    }
}
