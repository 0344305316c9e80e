// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide.timeouts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.CancelOutcome;
import io.delayqueue.DelayQueueOperations;
import io.delayqueue.Due;
import io.delayqueue.guide.GuideTest;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

@GuideTest
class TimeoutsIntegrationTests {

    private static final String QUEUE = "payment-timeouts";

    @Autowired
    private Checkout checkout;

    @Autowired
    private OrderTable orders;

    @Autowired
    private DelayQueueOperations delayQueue;

    @Test
    void orderWhenNotPaidIsClosed() {
        checkout.place("unpaid");
        assertThat(delayQueue.reschedule(QUEUE, "unpaid", Due.now())).isNotNull();
        await().until(() -> orders.status("unpaid").equals("CLOSED"));
        assertThat(checkout.pay("unpaid")).as("too late").isFalse();
        assertThat(checkout.extend("unpaid"))
                .as("nothing is left to be extended")
                .isFalse();
    }

    @Test
    void orderWhenPaidHasNoTimer() {
        checkout.place("paid");
        assertThat(checkout.pay("paid")).isTrue();
        assertThat(delayQueue.find(QUEUE, "paid")).isEmpty();
        assertThat(delayQueue.cancel(QUEUE, "paid")).isEqualTo(CancelOutcome.NOT_FOUND);
    }

    @Test
    void orderWhenExtendedIsDueLater() {
        checkout.place("extended");
        Instant before = delayQueue.find(QUEUE, "extended").orElseThrow().dueAt();
        await().pollDelay(Duration.ofMillis(5)).until(() -> checkout.extend("extended"));
        assertThat(delayQueue.find(QUEUE, "extended").orElseThrow().dueAt()).isAfter(before);
    }
}
